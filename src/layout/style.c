#include "layout/style.h"

#include "base/str.h"

/* mm to pt, #rrggbb to a colour */
#define MM(x) ((x)*72 / 25.4)
#define HEX(c)                                                                 \
	{                                                                      \
		((c) >> 16 & 255) / 255., ((c) >> 8 & 255) / 255.,             \
		    ((c)&255) / 255.                                           \
	}

#define INK    HEX(0x1b1d21)
#define ACCENT HEX(0x1d3c63)
#define QUIET  HEX(0x626b78)

#define SERIF FACE_SERIF, FACE_SERIF_BOLD
#define SANS  FACE_SANS, FACE_SANS_BOLD
#define BOLD  FACE_SANS_BOLD, FACE_SANS_BOLD
#define LEFT  TEXT_START
#define MID   TEXT_CENTRE
#define FULL  TEXT_JUSTIFY

/* clang-format off */
#define GEOMETRY \
	.page_width = MM(210), .page_height = MM(297), \
	/* the line is 42 characters of 10.5 pt, about 25 mm off the edge */ \
	.binding = MM(28), .outer = MM(210 - 28) - 42 * 10.5, \
	.top = MM(28), .bottom = MM(25), \
	.head_y = MM(17), .foot_y = MM(283), \
	.list_indent = 18, .box_pad = 9, .box_bar = 3, \
	.cell_pad_x = 5, .cell_pad_y = 3.6, .cell_size_min = 8, \
	.figure_gap = 5, .chapter_room = 0.66, .contents_depth = 2, \
	.bullet = "•"

#define COLOURS \
	.accent = ACCENT, .quiet = QUIET, .link = HEX(0x1f5a96), \
	.rule = HEX(0x1d3c63), .hairline = HEX(0xc8ced8), \
	.head_tint = HEX(0xe9eef5), .group_tint = HEX(0xf4f6f9), \
	.tint = { \
		[TONE_NONE] = HEX(0xf4f6f9), [TONE_GOOD] = HEX(0xdff0ec), \
		[TONE_OK] = HEX(0xe6eff8), [TONE_WARN] = HEX(0xfbefd2), \
		[TONE_BAD] = HEX(0xf7ddd8), [TONE_OPEN] = HEX(0xececef), \
	}, \
	.ink = { \
		[TONE_NONE] = ACCENT, [TONE_GOOD] = HEX(0x0c5f55), \
		[TONE_OK] = HEX(0x1f4f8a), [TONE_WARN] = HEX(0x855300), \
		[TONE_BAD] = HEX(0x98271a), [TONE_OPEN] = HEX(0x545b66), \
	}

/* face, strong; size; line; indent; before, after; align; colour */
static const struct page_style chinese = {
	GEOMETRY, COLOURS,
	.ordered = "（{n}）", .cover_label = "封面",
	.roles = {
[ROLE_BODY]	= { SERIF, 10.5, 1.60, 2, 0, 0, FULL, INK },
[ROLE_LEAD]	= { SERIF, 11.5, 1.60, 2, 2, 4, FULL, INK },
[ROLE_NOTE]	= { SANS, 9, 1.55, 0, 3, 3, FULL, QUIET },
[ROLE_SOURCE]	= { SANS, 8, 1.45, 0, 2, 2, LEFT, QUIET },
[ROLE_QUESTION]	= { BOLD, 11, 1.55, 0, 8, 3, LEFT, ACCENT },
[ROLE_ITEM]	= { SERIF, 10.5, 1.55, 0, 0, 0, FULL, INK },
[ROLE_BULLET]	= { BOLD, 10.5, 1.55, 0, 0, 0, LEFT, ACCENT },
[ROLE_H1]	= { BOLD, 19, 1.45, 0, 30, 12, LEFT, ACCENT },
[ROLE_H2]	= { BOLD, 14, 1.45, 0, 17, 6, LEFT, ACCENT },
[ROLE_H3]	= { BOLD, 11.5, 1.45, 0, 12, 4, LEFT, INK },
[ROLE_H4]	= { BOLD, 10.5, 1.45, 0, 9, 3, LEFT, INK },
[ROLE_BOX_TITLE] = { BOLD, 10.5, 1.5, 0, 0, 2, LEFT, ACCENT },
[ROLE_CAPTION]	= { BOLD, 9, 1.45, 0, 0, 0, MID, INK },
[ROLE_CELL]	= { SANS, 9, 1.42, 0, 0, 0, LEFT, INK },
[ROLE_CELL_HEAD] = { BOLD, 9, 1.42, 0, 0, 0, LEFT, ACCENT },
[ROLE_CELL_GROUP] = { BOLD, 9, 1.42, 0, 0, 0, LEFT, ACCENT },
[ROLE_COVER_TITLE] = { BOLD, 28, 1.35, 0, 0, 0, LEFT, ACCENT },
[ROLE_COVER_SUBTITLE] = { SANS, 15, 1.5, 0, 10, 0, LEFT, QUIET },
[ROLE_COVER_LINE] = { SANS, 11, 1.75, 0, 0, 0, LEFT, INK },
[ROLE_CONTENTS_TITLE] = { BOLD, 19, 1.45, 0, 0, 16, LEFT, ACCENT },
[ROLE_CONTENTS_1] = { BOLD, 10.5, 1.5, 0, 8, 0, LEFT, INK },
[ROLE_CONTENTS_2] = { SERIF, 10.5, 1.5, 0, 1, 0, LEFT, INK },
[ROLE_CONTENTS_3] = { SERIF, 9.5, 1.5, 0, 0, 0, LEFT, QUIET },
[ROLE_RUNNING]	= { SANS, 8, 1.4, 0, 0, 0, LEFT, QUIET },
	},
};

static const struct page_style english = {
	GEOMETRY, COLOURS,
	.ordered = "{n}.", .cover_label = "Cover",
	.roles = {
[ROLE_BODY]	= { SERIF, 10.5, 1.42, 0, 0, 6, FULL, INK },
[ROLE_LEAD]	= { SERIF, 11.5, 1.42, 0, 2, 7, FULL, INK },
[ROLE_NOTE]	= { SANS, 8.8, 1.42, 0, 3, 5, LEFT, QUIET },
[ROLE_SOURCE]	= { SANS, 8, 1.4, 0, 2, 2, LEFT, QUIET },
[ROLE_QUESTION]	= { BOLD, 11, 1.42, 0, 8, 4, LEFT, ACCENT },
[ROLE_ITEM]	= { SERIF, 10.5, 1.4, 0, 0, 3, LEFT, INK },
[ROLE_BULLET]	= { BOLD, 10.5, 1.4, 0, 0, 0, LEFT, ACCENT },
[ROLE_H1]	= { BOLD, 19, 1.3, 0, 30, 12, LEFT, ACCENT },
[ROLE_H2]	= { BOLD, 14, 1.3, 0, 17, 6, LEFT, ACCENT },
[ROLE_H3]	= { BOLD, 11.5, 1.3, 0, 12, 4, LEFT, INK },
[ROLE_H4]	= { BOLD, 10.5, 1.3, 0, 9, 3, LEFT, INK },
[ROLE_BOX_TITLE] = { BOLD, 10.5, 1.4, 0, 0, 3, LEFT, ACCENT },
[ROLE_CAPTION]	= { BOLD, 9, 1.35, 0, 0, 0, LEFT, INK },
[ROLE_CELL]	= { SANS, 8.8, 1.35, 0, 0, 0, LEFT, INK },
[ROLE_CELL_HEAD] = { BOLD, 8.8, 1.35, 0, 0, 0, LEFT, ACCENT },
[ROLE_CELL_GROUP] = { BOLD, 8.8, 1.35, 0, 0, 0, LEFT, ACCENT },
[ROLE_COVER_TITLE] = { BOLD, 27, 1.25, 0, 0, 0, LEFT, ACCENT },
[ROLE_COVER_SUBTITLE] = { SANS, 14, 1.4, 0, 10, 0, LEFT, QUIET },
[ROLE_COVER_LINE] = { SANS, 11, 1.6, 0, 0, 0, LEFT, INK },
[ROLE_CONTENTS_TITLE] = { BOLD, 19, 1.3, 0, 0, 16, LEFT, ACCENT },
[ROLE_CONTENTS_1] = { BOLD, 10.5, 1.45, 0, 8, 0, LEFT, INK },
[ROLE_CONTENTS_2] = { SERIF, 10.5, 1.45, 0, 1, 0, LEFT, INK },
[ROLE_CONTENTS_3] = { SERIF, 9.5, 1.45, 0, 0, 0, LEFT, QUIET },
[ROLE_RUNNING]	= { SANS, 8, 1.4, 0, 0, 0, LEFT, QUIET },
	},
};
/* clang-format on */

const struct page_style *
page_style_for(const char *lang)
{
	return lang && str_starts(lang, "zh") ? &chinese : &english;
}
