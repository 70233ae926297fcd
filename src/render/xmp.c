#include "render/xmp.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static const char head[] =
    "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
    "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
    "<rdf:Description rdf:about=\"\""
    " xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
    " xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
    " xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\""
    " xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\""
    " xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\""
    " xmlns:pdfaExtension=\"http://www.aiim.org/pdfa/ns/extension/\""
    " xmlns:pdfaSchema=\"http://www.aiim.org/pdfa/ns/schema#\""
    " xmlns:pdfaProperty=\"http://www.aiim.org/pdfa/ns/property#\">\n"
    "<pdfaid:part>3</pdfaid:part>\n"
    "<pdfaid:conformance>A</pdfaid:conformance>\n"
    "<pdfuaid:part>1</pdfuaid:part>\n";

/* PDF/A wants every schema it does not know to be described. */
static const char tail[] =
    "<pdfaExtension:schemas><rdf:Bag>"
    "<rdf:li rdf:parseType=\"Resource\">\n"
    "<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>\n"
    "<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/"
    "</pdfaSchema:namespaceURI>\n"
    "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>\n"
    "<pdfaSchema:property><rdf:Seq>"
    "<rdf:li rdf:parseType=\"Resource\">\n"
    "<pdfaProperty:name>part</pdfaProperty:name>\n"
    "<pdfaProperty:valueType>Integer</pdfaProperty:valueType>\n"
    "<pdfaProperty:category>internal</pdfaProperty:category>\n"
    "<pdfaProperty:description>part of ISO 14289 that the file follows"
    "</pdfaProperty:description>\n"
    "</rdf:li></rdf:Seq></pdfaSchema:property>\n"
    "</rdf:li></rdf:Bag></pdfaExtension:schemas>\n"
    "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
    "<?xpacket end=\"r\"?>";

static void
add(struct str *out, const char *name, const char *before, const char *text,
    const char *after)
{
	if (!text || !*text)
		return;
	str_addf(out, "<%s>%s", name, before);
	str_add_xml(out, text);
	str_addf(out, "%s</%s>\n", after, name);
}

void
xmp_write(const struct xmp *x, struct str *out)
{
	static const char alt[] = "<rdf:Alt><rdf:li xml:lang=\"x-default\">";
	static const char alt_end[] = "</rdf:li></rdf:Alt>";

	str_add(out, head);
	add(out, "dc:format", "", "application/pdf", "");
	add(out, "dc:title", alt, x->title, alt_end);
	add(out, "dc:creator", "<rdf:Seq><rdf:li>", x->author,
	    "</rdf:li></rdf:Seq>");
	add(out, "dc:description", alt, x->subject, alt_end);
	add(out, "dc:language", "<rdf:Bag><rdf:li>", x->lang,
	    "</rdf:li></rdf:Bag>");
	add(out, "pdf:Keywords", "", x->keywords, "");
	add(out, "pdf:Producer", "", x->producer, "");
	add(out, "xmp:CreatorTool", "", x->creator, "");
	add(out, "xmp:CreateDate", "", x->date, "");
	add(out, "xmp:ModifyDate", "", x->date, "");
	add(out, "xmp:MetadataDate", "", x->date, "");
	str_add(out, tail);
}

/* ---- reading ---- */

static char *
decode(struct arena *a, const char *s, size_t len)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'},
	    {"&quot;", '"'}, {"&apos;", '\''}};
	const char *end = s + len;
	struct str out;

	str_init(&out, a);
	while (s < end) {
		char c = *s;
		size_t step = 1;

		for (int i = 0; c == '&' && i < 5; i++)
			if (str_starts(s, entities[i].name)) {
				c = entities[i].c;
				step = strlen(entities[i].name);
			}
		str_addc(&out, c);
		s += step;
	}
	return out.s;
}

static const char *
past_white(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/* Past `<rdf:Seq><rdf:li ...>`, if that is what the text starts with. */
static const char *
first_item(const char *s)
{
	const char *t = s;

	while (str_starts(past_white(t), "<rdf:")) {
		const char *end = strchr(past_white(t), '>');

		if (!end)
			return s;
		t = end + 1;
	}
	return t;
}

char *
xmp_find(struct arena *a, const char *packet, const char *property)
{
	char *element = arena_printf(a, "<%s", property);
	char *attribute = arena_printf(a, " %s=\"", property);
	const char *s = strstr(packet, attribute);

	if (s) {
		s += strlen(attribute);
		return decode(a, s, strcspn(s, "\""));
	}
	for (s = strstr(packet, element); s; s = strstr(s + 1, element)) {
		const char *t = s + strlen(element);

		if (!strchr("> \t\r\n", *t))
			continue;
		t = strchr(t, '>');
		if (!t || t[-1] == '/')
			return NULL;
		t = first_item(t + 1);
		return decode(a, t, strcspn(t, "<"));
	}
	return NULL;
}
