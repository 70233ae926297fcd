#include "render/srgb.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	HEADER = 128,
	TAGS = 9,
	TABLE_END = HEADER + 4 + 12 * TAGS,
	DESC = TABLE_END, /* 'desc': name, then empty Unicode and Mac names */
	DESC_BYTES = 96,
	TEXT = DESC + DESC_BYTES, /* 'text' */
	TEXT_BYTES = 12,
	XYZ = TEXT + TEXT_BYTES, /* white, red, green, blue */
	XYZ_BYTES = 20,
	CURVE = XYZ + 4 * XYZ_BYTES, /* 'curv' */
	POINTS = (SRGB_PROFILE_BYTES - CURVE - 12) / 2,
	CURVE_BYTES = 12 + 2 * POINTS
};

/*
 * The primaries and the white of IEC 61966-2-1 (those of ITU-R BT.709),
 * adapted from D65 to the D50 of the profile connection space with the
 * Bradford matrix.  The first row is D50 as ICC.1 writes it.
 */
static const double places[4][3] = {
    {0.9642, 1.0000, 0.8249},
    {0.43604, 0.22248, 0.01392},
    {0.38511, 0.71691, 0.09707},
    {0.14305, 0.06061, 0.71391},
};

static void
put16(unsigned char *p, unsigned v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

static void
put32(unsigned char *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v & 0xFFFF);
}

static void
put_name(unsigned char *p, const char *four)
{
	memcpy(p, four, 4);
}

/* s15Fixed16Number */
static void
put_fixed(unsigned char *p, double v)
{
	put32(p, (uint32_t)lround(v * 65536));
}

static void
write_header(unsigned char *p)
{
	static const unsigned created[6] = {1999, 10, 18, 0, 0, 0};

	put32(p, SRGB_PROFILE_BYTES);
	put32(p + 8, 0x02100000);
	put_name(p + 12, "mntr");
	put_name(p + 16, "RGB ");
	put_name(p + 20, "XYZ ");
	for (int i = 0; i < 6; i++)
		put16(p + 24 + 2 * i, created[i]);
	put_name(p + 36, "acsp");
	for (int i = 0; i < 3; i++)
		put_fixed(p + 68 + 4 * i, places[0][i]);
}

static void
write_table(unsigned char *p)
{
	static const struct {
		const char *name;
		int at, bytes;
	} tags[TAGS] = {
	    {"desc", DESC, DESC_BYTES},
	    {"cprt", TEXT, TEXT_BYTES},
	    {"wtpt", XYZ, XYZ_BYTES},
	    {"rXYZ", XYZ + XYZ_BYTES, XYZ_BYTES},
	    {"gXYZ", XYZ + 2 * XYZ_BYTES, XYZ_BYTES},
	    {"bXYZ", XYZ + 3 * XYZ_BYTES, XYZ_BYTES},
	    {"rTRC", CURVE, CURVE_BYTES},
	    {"gTRC", CURVE, CURVE_BYTES},
	    {"bTRC", CURVE, CURVE_BYTES},
	};

	put32(p + HEADER, TAGS);
	for (int i = 0; i < TAGS; i++) {
		unsigned char *entry = p + HEADER + 4 + 12 * i;

		put_name(entry, tags[i].name);
		put32(entry + 4, (uint32_t)tags[i].at);
		put32(entry + 8, (uint32_t)tags[i].bytes);
	}
}

/* From the stored value to light, both 0..1. */
static double
light(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

void
srgb_profile(unsigned char out[SRGB_PROFILE_BYTES])
{
	memset(out, 0, SRGB_PROFILE_BYTES);
	write_header(out);
	write_table(out);
	put_name(out + DESC, "desc");
	put32(out + DESC + 8, 5);
	memcpy(out + DESC + 12, "sRGB", 5);
	put_name(out + TEXT, "text");
	memcpy(out + TEXT + 8, "CC0", 4);
	for (int i = 0; i < 4; i++) {
		put_name(out + XYZ + i * XYZ_BYTES, "XYZ ");
		for (int k = 0; k < 3; k++)
			put_fixed(out + XYZ + i * XYZ_BYTES + 8 + 4 * k,
			    places[i][k]);
	}
	put_name(out + CURVE, "curv");
	put32(out + CURVE + 8, POINTS);
	for (int i = 0; i < POINTS; i++)
		put16(out + CURVE + 12 + 2 * i,
		    (unsigned)lround(65535 * light(i / (POINTS - 1.0))));
}
