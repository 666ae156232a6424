/*
 * Writes results of streams as the tools write them in their replies, for a comparison byte by
 * byte.
 */
#ifndef JSON_H
#define JSON_H

#include "searchscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. */
struct writer {
    char *bytes;
    size_t len, room;
};

static inline void put(struct writer *out, const char *bytes, size_t len)
{
    if (out->len + len > out->room) {
        out->room = 2 * (out->len + len);
        out->bytes = realloc(out->bytes, out->room);
        if (out->bytes == NULL)
            abort();
    }
    if (len > 0)
        memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
}

static inline void put_text(struct writer *out, const char *text)
{
    put(out, text, strlen(text));
}

static inline void put_number(struct writer *out, const char *key, uint64_t number)
{
    char text[32];
    put_text(out, key);
    put(out, text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)number));
}

/* Returns the length of the UTF-8 character at this position; 0 if it is invalid. */
static inline size_t character(const unsigned char *at, size_t left)
{
    size_t len = at[0] < 0x80 ? 1 : at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc2 ? 2 : 0;

    if (len > left || at[0] > 0xf4)
        return 0;
    for (size_t n = 1; n < len; n++)
        if ((at[n] & 0xc0) != 0x80)
            return 0;
    return len;
}

/* Writes a JSON string; bytes that are not UTF-8 become U+FFFD. */
static inline void put_string(struct writer *out, const char *key, searchscope_text text)
{
    const unsigned char *at = (const unsigned char *)text.bytes;
    size_t left = text.len;
    char escape[8];

    put_text(out, key);
    put_text(out, "\"");
    while (left > 0) {
        size_t len = character(at, left);
        if (len == 0)
            put_text(out, "\xef\xbf\xbd");
        else if (*at == '"' || *at == '\\')
            put(out, escape, (size_t)snprintf(escape, sizeof escape, "\\%c", *at));
        else if (*at == '\t')
            put_text(out, "\\t");
        else if (*at == '\r')
            put_text(out, "\\r");
        else if (*at == '\n')
            put_text(out, "\\n");
        else if (*at < 0x20)
            put(out, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", *at));
        else
            put(out, (const char *)at, len);
        len += len == 0;
        at += len;
        left -= len;
    }
    put_text(out, "\"");
}

static inline int is_utf8(searchscope_text text)
{
    const unsigned char *at = (const unsigned char *)text.bytes;
    size_t len;

    for (size_t n = 0; n < text.len; n += len)
        if ((len = character(at + n, text.len - n)) == 0)
            return 0;
    return 1;
}

static inline void put_base64(struct writer *out, searchscope_text text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t n = 0; n < text.len; n += 3) {
        unsigned long three = 0;
        for (size_t m = n; m < n + 3; m++)
            three = three << 8 | (m < text.len ? (unsigned char)text.bytes[m] : 0);
        for (size_t m = 0; m < 4; m++)
            put(out, m > text.len - n ? "=" : &digits[three >> (18 - 6 * m) & 63], 1);
    }
}

static inline void put_path(struct writer *out, searchscope_text path)
{
    put_string(out, "{\"path\":", path);
    if (!is_utf8(path)) {
        put_text(out, ",\"path_base64\":\"");
        put_base64(out, path);
        put_text(out, "\"");
    }
}

static inline void put_texts(struct writer *out, const char *key, const searchscope_text *texts,
                             size_t n_texts)
{
    if (n_texts == 0)
        return;
    put_text(out, key);
    for (size_t n = 0; n < n_texts; n++)
        put_string(out, n == 0 ? "[" : ",", texts[n]);
    put_text(out, "]");
}

static inline void put_match(struct writer *out, const searchscope_match *match)
{
    put_path(out, match->path);
    if (match->line == 0) {
        if (match->n_matches > 0)
            put_number(out, ",\"matches\":", match->n_matches);
        put_text(out, "}");
        return;
    }
    put_number(out, ",\"line\":", match->line);
    put_number(out, ",\"column\":", match->column);
    put_number(out, ",\"offset\":", match->offset);
    put_string(out, ",\"text\":", match->text);
    if (!is_utf8(match->text))
        put_text(out, ",\"lossy\":true");
    if (match->text.len < match->line_bytes) {
        put_number(out, ",\"text_start\":", match->text_start);
        put_number(out, ",\"line_bytes\":", match->line_bytes);
    }
    if (match->encoding.bytes != NULL)
        put_string(out, ",\"encoding\":", match->encoding);
    put_text(out, ",\"spans\":[");
    for (size_t n = 0; n < match->n_spans; n++) {
        put_number(out, n == 0 ? "{\"start\":" : ",{\"start\":", match->spans[n].start);
        put_number(out, ",\"end\":", match->spans[n].end);
        put_number(out, ",\"pattern\":", match->spans[n].pattern);
        put_text(out, "}");
    }
    put_text(out, "]");
    if (match->enclosing.bytes != NULL)
        put_string(out, ",\"enclosing\":", match->enclosing);
    put_texts(out, ",\"before\":", match->before, match->n_before);
    put_texts(out, ",\"after\":", match->after, match->n_after);
    put_text(out, "}");
}

#endif
