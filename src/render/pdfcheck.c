#include "render/pdfcheck.h"

#include <stdarg.h>

#include "render/pdfcheck_parts.h"

enum { SHOWN_MAX = 4 }; /* findings of one rule that are printed */

static const struct pdfcheck_rule rules[N_RULES] = {
    [RULE_READ] = {"pdf-read", "ISO 32000-1", "the file can be read"},
    [RULE_HEADER] = {"a-header", "A-3 6.1.2",
	"header of PDF 1.4 to 1.7 with a line of binary bytes"},
    [RULE_ENDSTREAM] = {"a-endstream", "A-3 6.1.7.1",
	"an end of line before endstream"},
    [RULE_ID] = {"a-id", "A-3 6.1.3", "a file identifier"},
    [RULE_ENCRYPT] = {"a-encrypt", "A-3 6.1.3", "no encryption"},
    [RULE_DANGLING] = {"a-dangling", "ISO 32000-1 7.3.10",
	"no reference to a missing object"},
    [RULE_LIMITS] = {"a-limits", "A-3 6.1.13",
	"names, strings and numbers within their limits"},
    [RULE_STREAM] = {"a-stream", "A-3 6.1.7",
	"streams are inside, not LZW, and can be decoded"},
    [RULE_ACTION] = {"a-action", "A-3 6.5",
	"no script, no launch, no additional actions"},
    [RULE_GRAPHICS] = {"a-graphics", "A-3 6.2.5",
	"no transfer functions, known blend modes"},
    [RULE_IMAGE] = {"a-image", "A-3 6.2.8",
	"pictures without interpolation and alternates"},
    [RULE_INTENT] = {"a-intent", "A-3 6.2.3",
	"an output intent with an RGB profile"},
    [RULE_XMP] = {"a-xmp", "A-3 6.6.2.1", "an XMP packet"},
    [RULE_XMP_A] = {"a-xmp-id", "A-3 6.6.4", "part 3, conformance A"},
    [RULE_XMP_UA] = {"ua-xmp-id", "UA-1 5", "part 1"},
    [RULE_XMP_SCHEMA] = {"a-xmp-schema", "A-3 6.6.2.3",
	"the schema of the part of PDF/UA is described"},
    [RULE_XMP_INFO] = {"a-xmp-info", "A-3 6.6.3",
	"XMP and document information agree"},
    [RULE_MARKED] = {"ua-marked", "UA-1 7.1", "the file says it is tagged"},
    [RULE_TITLE] = {"ua-title", "UA-1 7.1", "a title, shown as such"},
    [RULE_LANG] = {"ua-lang", "UA-1 7.2", "the document's language"},
    [RULE_OUTLINE] = {"nav-outline", "whygpu",
	"an outline is open when the file is opened"},
    [RULE_FILES] = {"a-files", "A-3 6.8",
	"embedded files with names, type, relation and date"},
    [RULE_FILES_AF] = {"a-files-af", "A-3 6.8",
	"embedded files belong to something"},
    [RULE_FILES_SUM] = {"a-files-sum", "ISO 32000-1 7.11.4",
	"size and check sum of embedded files"},
    [RULE_OPERATOR] = {"a-operator", "A-3 6.2.2",
	"only operators of the standard"},
    [RULE_NESTING] = {"a-nesting", "A-3 6.1.13",
	"graphics states balance, 28 deep at most"},
    [RULE_COLOUR] = {"a-colour", "A-3 6.2.4.3",
	"no colour that the output intent does not cover"},
    [RULE_UNTAGGED] = {"ua-untagged", "UA-1 7.1",
	"all that is drawn is tagged or an artifact"},
    [RULE_ARTIFACT] = {"ua-artifact", "UA-1 7.1",
	"no artifact inside tagged content, nor the reverse"},
    [RULE_MARKS] = {"ua-marks", "ISO 32000-1 14.6",
	"marks balance, also against text objects"},
    [RULE_MCID] = {"ua-mcid", "UA-1 7.1", "marks and structure elements match"},
    [RULE_PARENT] = {"ua-parent", "ISO 32000-1 14.7.4.4",
	"the parent tree leads back to the element"},
    [RULE_FONT_FILE] = {"a-font-file", "A-3 6.2.11.4", "fonts are embedded"},
    [RULE_FONT_CID] = {"a-font-cid", "A-3 6.2.11.3",
	"composite fonts say how their codes are meant"},
    [RULE_FONT_UNICODE] = {"a-font-unicode", "A-3 6.2.11.7",
	"all that is shown has its Unicode"},
    [RULE_FONT_NOTDEF] = {"a-font-notdef", "A-3 6.2.11.8",
	"no missing glyph is shown"},
    [RULE_ANNOT_FLAGS] = {"a-annot-flags", "A-3 6.3.2",
	"annotations are printed and not hidden"},
    [RULE_ANNOT_TYPE] = {"a-annot-type", "A-3 6.3.1",
	"only kinds of annotations that last"},
    [RULE_ANNOT_TEXT] = {"ua-annot-text", "UA-1 7.18.5",
	"links say where they lead"},
    [RULE_ANNOT_TAG] = {"ua-annot-tag", "UA-1 7.18.5",
	"links are in a Link element"},
    [RULE_TABS] = {"ua-tabs", "UA-1 7.18.3",
	"the tab key follows the structure"},
    [RULE_TREE] = {"ua-tree", "UA-1 7.1", "a structure tree"},
    [RULE_ROLE] = {"ua-role", "UA-1 7.1", "standard structure types"},
    [RULE_CHILD] = {"ua-child", "UA-1 7.2",
	"tables, lists and contents are well nested"},
    [RULE_LEAF] = {"ua-leaf", "whygpu",
	"an element holds elements or content, not both, not nothing"},
    [RULE_HEADING] = {"ua-heading", "UA-1 7.4.2",
	"headings start at 1 and skip no level"},
    [RULE_FIGURE_ALT] = {"ua-figure-alt", "UA-1 7.3",
	"figures say what they show"},
    [RULE_FIGURE_BOX] = {"ua-figure-box", "ISO 32000-1 14.8.5.4.3",
	"figures say where they are"},
    [RULE_TABLE_HEAD] = {"ua-table-head", "UA-1 7.5", "tables have head cells"},
    [RULE_TABLE_SCOPE] = {"ua-table-scope", "UA-1 7.5",
	"head cells say what they head"},
    [RULE_TABLE_ROW] = {"ua-table-row", "UA-1 7.2",
	"rows of a table have the same number of columns"},
    [RULE_LINK] = {"ua-link", "UA-1 7.18.5", "a Link element holds a link"},
    [RULE_SPAN_LANG] = {"ua-span-lang", "UA-1 7.2",
	"languages of elements are well formed"},
};

const struct pdfcheck_rule *
pdfcheck_rules(int *n)
{
	*n = N_RULES;
	return rules;
}

bool
broken(struct check *c, enum rule r, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (++c->found[r] > SHOWN_MAX)
		return false;
	va_start(ap, fmt);
	text = arena_vprintf(c->a, fmt, ap);
	va_end(ap);
	diag_error(c->d, pos_file(c->src), rules[r].id, "%s", text);
	diag_note(c->d, "%s: %s", rules[r].clause, rules[r].about);
	return false;
}

/* A tag as in BCP 47: letters, then groups of letters and digits. */
bool
is_language(const char *tag)
{
	int group = 0, len = 0;

	if (!tag)
		return false;
	for (;; tag++) {
		char ch = *tag;
		bool letter =
		    (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
		bool digit = ch >= '0' && ch <= '9';

		if (letter || (digit && group > 0)) {
			len++;
			continue;
		}
		if (len > 8 || len < (group == 0 ? 2 : 1))
			return false;
		if (ch == '\0')
			return true;
		if (ch != '-')
			return false;
		group++;
		len = 0;
	}
}

static bool
open_file(struct check *c)
{
	qpdf_silence_errors(c->q);
	qpdf_set_suppress_warnings(c->q, QPDF_TRUE);
	qpdf_set_attempt_recovery(c->q, QPDF_FALSE);
	if (qpdf_read_memory(c->q, c->src->path, c->src->text, c->src->len,
		NULL) &
	    QPDF_ERRORS)
		return broken(c, RULE_READ, "%s",
		    qpdf_get_error_message_detail(c->q, qpdf_get_error(c->q)));
	if (!qpdf_oh_is_dictionary(c->q, qpdf_get_root(c->q)))
		return broken(c, RULE_READ, "the file has no catalogue");
	c->n_objects = (int)q_int(c->q, qpdf_get_trailer(c->q), "/Size", 0);
	if (c->n_objects < 1 || c->n_objects > 8388608)
		return broken(c, RULE_READ, "strange number of objects");
	c->forms_seen = arena_alloc(c->a, (size_t)c->n_objects, sizeof(bool));
	return true;
}

static void
check_all(struct check *c)
{
	check_bytes(c);
	check_trailer(c);
	check_catalog(c);
	check_metadata(c);
	check_files(c);
	check_objects(c);
	collect_tree(c);
	check_pages(c);
	check_fonts(c);
	check_tree(c);
	check_claims(c);
	if (qpdf_has_error(c->q))
		broken(c, RULE_READ, "%s",
		    qpdf_get_error_message_detail(c->q, qpdf_get_error(c->q)));
	while (qpdf_more_warnings(c->q))
		broken(c, RULE_READ, "%s",
		    qpdf_get_error_message_detail(c->q,
			qpdf_next_warning(c->q)));
}

bool
pdfcheck(struct arena *a, const struct source *src, struct diag *d)
{
	struct check c = {.a = a, .src = src, .d = d, .q = qpdf_init()};
	int n = 0;

	if (open_file(&c))
		check_all(&c);
	if (qpdf_has_error(c.q)) /* else cleaning up would print it */
		qpdf_get_error(c.q);
	qpdf_cleanup(&c.q);
	for (int i = 0; i < N_RULES; i++)
		n += c.found[i];
	return n == 0;
}
