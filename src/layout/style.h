/*
 * What a page looks like: all sizes and colours, in one table per language.
 * Lengths in pt.
 */
#ifndef LAYOUT_STYLE_H
#define LAYOUT_STYLE_H

#include "doc/doc.h"
#include "text/text.h"

enum role {
	ROLE_BODY,
	ROLE_LEAD,
	ROLE_NOTE,
	ROLE_SOURCE,
	ROLE_QUESTION,
	ROLE_ITEM,
	ROLE_BULLET,
	ROLE_H1,
	ROLE_H2,
	ROLE_H3,
	ROLE_H4,
	ROLE_BOX_TITLE,
	ROLE_CAPTION,
	ROLE_CELL,
	ROLE_CELL_HEAD,
	ROLE_CELL_GROUP,
	ROLE_COVER_TITLE,
	ROLE_COVER_SUBTITLE,
	ROLE_COVER_LINE,
	ROLE_CONTENTS_TITLE,
	ROLE_CONTENTS_1,
	ROLE_CONTENTS_2,
	ROLE_CONTENTS_3,
	ROLE_RUNNING,
	N_ROLES
};

struct role_style {
	enum face face, strong;
	double size;
	double line_height; /* multiple of the size */
	double indent;      /* first line, em */
	double before, after;
	enum text_align align;
	struct rgb color;
};

enum { N_TONES = TONE_OPEN + 1 };

struct page_style {
	double page_width, page_height;
	double binding, outer; /* left and right margin */
	double top, bottom;    /* of the text */
	double head_y, foot_y; /* baselines of running head and foot */
	double list_indent, box_pad, box_bar;
	double cell_pad_x, cell_pad_y, cell_size_min;
	double figure_gap;   /* between picture and caption */
	double chapter_room; /* a chapter starts no lower than this share */
	int contents_depth;
	const char *ordered; /* "{n}." */
	const char *bullet;
	const char *cover_label;
	struct rgb accent, quiet, link, rule, hairline, head_tint, group_tint;
	struct rgb tint[N_TONES], ink[N_TONES];
	struct role_style roles[N_ROLES];
};

const struct page_style *page_style_for(const char *lang);

#endif
