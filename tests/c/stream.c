/*
 * Streams: the results as structs, compared with those of the reply and field by field. Usage:
 * stream ROOT, where ROOT is the tree `rich` of fixtures.rs.
 */
#define _DEFAULT_SOURCE /* lstat */
#include "calls.h"
#include "check.h"
#include "json.h"

#include <pthread.h>
#include <sys/stat.h>

/* Returns the length of the part of a report's JSON that is the same each time. */
static size_t until_time(const char *json)
{
    const char *time = strstr(json, "\"elapsed_us\":");
    return time == NULL ? 0 : (size_t)(time - json);
}

/* Checks that the reply equals the list that was written, followed by the report. */
static void check_reply(const char *args, struct writer *list, searchscope_report *reply,
                        searchscope_report *report)
{
    const char *in_reply = searchscope_report_bytes(reply);
    const char *in_report = searchscope_report_bytes(report);

    put_text(list, "]");
    CHECK(in_reply != NULL && in_report != NULL);
    if (in_reply == NULL || in_report == NULL)
        return;
    if (strncmp(in_reply, list->bytes, list->len) != 0) {
        fprintf(stderr, "of %s:\nreply:  %.2000s\nstream: %.*s\n", args, in_reply,
                (int)(list->len < 2000 ? list->len : 2000), list->bytes);
        failures++;
        return;
    }
    in_reply += list->len;
    CHECK(*in_reply == ',');
    CHECK(until_time(in_report) > 0 && until_time(in_reply) == until_time(in_report));
    CHECK(strncmp(in_reply + 1, in_report + 1, until_time(in_report) - 1) == 0);
}

/* The values that a callback keeps. */
struct seen {
    struct writer list;
    pthread_t thread;
    int n, stop_at, returns;
};

static int take_match(void *user_data, const searchscope_match *match)
{
    struct seen *seen = user_data;

    CHECK(match->struct_size == sizeof *match);
    CHECK(pthread_equal(seen->thread, pthread_self()));
    CHECK(match->path.bytes[match->path.len] == '\0');
    CHECK(match->line == 0 || (match->text.bytes != NULL && match->last_line >= match->line));
    CHECK((match->spans == NULL) == (match->n_spans == 0));
    CHECK((match->before == NULL) == (match->n_before == 0));
    CHECK((match->after == NULL) == (match->n_after == 0));
    if (seen->n++ > 0)
        put_text(&seen->list, ",");
    put_match(&seen->list, match);
    return seen->n == seen->stop_at ? seen->returns : SEARCHSCOPE_CONTINUE;
}

static int take_file(void *user_data, const searchscope_found_file *file)
{
    struct seen *seen = user_data;

    CHECK(file->struct_size == sizeof *file);
    CHECK(file->path.bytes[file->path.len] == '\0');
    CHECK(!file->has_details && file->file_type == 0 && file->size == 0 && file->modified_ns == 0);
    if (seen->n++ > 0)
        put_text(&seen->list, ",");
    put_path(&seen->list, file->path);
    put_text(&seen->list, "}");
    return seen->n == seen->stop_at ? seen->returns : SEARCHSCOPE_CONTINUE;
}

static struct seen nothing_seen(const char *key)
{
    struct seen seen;

    memset(&seen, 0, sizeof seen);
    seen.thread = pthread_self();
    seen.returns = SEARCHSCOPE_STOP;
    put_text(&seen.list, key);
    return seen;
}

static void check_search(const searchscope_workspace *workspace, const char *key, int n_min,
                         const char *args)
{
    struct seen seen = nothing_seen(key);
    searchscope_report *report = NULL, *reply = call(workspace, "search", args);

    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, args, take_match, &seen, &report));
    if (seen.n < n_min)
        fprintf(stderr, "%d results of %s\n", seen.n, args);
    CHECK(seen.n >= n_min);
    check_reply(args, &seen.list, reply, report);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(reply));
    free(seen.list.bytes);
}

static void same_as_the_reply(void)
{
    searchscope_workspace *workspace = open_root();
    struct seen seen = nothing_seen("{\"files\":[");
    searchscope_report *report = NULL, *reply = call(workspace, "find", FILES);
    const char *matches = "{\"matches\":[", *files = "{\"files\":[";

    check_search(workspace, matches, 2000, ALL);
    check_search(workspace, matches, 1000,
                 "{\"patterns\":[\"needle [0-9]\",\"[13579]$\"],\"context_before\":2,"
                 "\"context_after\":3,\"matches_max\":100000}");
    check_search(workspace, matches, 2,
                 "{\"patterns\":[\"needle\\\\(\",\"let x\"],\"enclosing\":true}");
    check_search(workspace, matches, 1,
                 "{\"patterns\":[\"needle.*\\\\n.*needle\"],\"multiline\":true}");
    check_search(workspace, matches, 2, "{\"patterns\":[\"^$\"],\"paths\":[\"empty.txt\"]}");
    check_search(workspace, matches, 2, "{\"patterns\":[\"needle\"],\"paths\":[\"bytes.txt\"]}");
    check_search(workspace, matches, 2,
                 "{\"patterns\":[\"needle\"],\"paths\":[\"bytes.txt\"],\"encoding\":\"latin1\"}");
    check_search(workspace, matches, 1,
                 "{\"patterns\":[\"needle\"],\"paths\":[\"long.txt\"],\"line_bytes_max\":100}");
    check_search(workspace, matches, 0, "{\"patterns\":[\"not in any file\"]}");
    check_search(workspace, files, 40, "{\"patterns\":[\"needle\"],\"mode\":\"files\"}");
    check_search(workspace, files, 40, "{\"patterns\":[\"needle\"],\"mode\":\"count\",\"matches_max\":100000}");
    check_search(workspace, files, 40,
                 "{\"patterns\":[\"needle\"],\"mode\":\"files\",\"order\":\"mtime\"}");

    CHECK_STATUS(SEARCHSCOPE_OK, find_each(workspace, FILES, take_file, &seen, &report));
    CHECK(seen.n >= 46);
    check_reply(FILES, &seen.list, reply, report);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(report));
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_report_free(reply));
    free(seen.list.bytes);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static int check_fields(void *user_data, const searchscope_match *match)
{
    static const char text[] = "needle \xff caf\xc3\xa9 \"quoted\" \\ tab\tend";

    ++*(int *)user_data;
    CHECK(same_text(match->path.bytes, "bytes.txt") && match->path.len == 9);
    CHECK(match->n_matches == 0 && match->line == 2 && match->last_line == 2);
    CHECK(match->column == 1 && match->offset == 6);
    CHECK(match->text.len == sizeof text - 1 && memcmp(match->text.bytes, text, sizeof text - 1) == 0);
    CHECK(match->text_start == 0 && match->line_bytes == sizeof text - 1);
    CHECK(match->n_spans == 2 && match->spans[0].start == 0 && match->spans[0].end == 6);
    CHECK(match->spans[0].pattern == 1 && match->spans[1].pattern == 0);
    CHECK(match->spans[1].start == 30 && match->spans[1].end == 33);
    CHECK(match->enclosing.bytes == NULL && match->enclosing.len == 0);
    CHECK(match->encoding.bytes == NULL && match->encoding.len == 0);
    CHECK(match->n_before == 1 && match->before[0].len == 5);
    CHECK(memcmp(match->before[0].bytes, "first", 5) == 0);
    CHECK(match->n_after == 1 && match->after[0].len == 0 && match->after[0].bytes != NULL);
    return SEARCHSCOPE_CONTINUE;
}

static int check_encoding(void *user_data, const searchscope_match *match)
{
    static const char encoding[] = "windows-1252";

    ++*(int *)user_data;
    CHECK(match->struct_size == sizeof *match);
    CHECK(match->encoding.len == sizeof encoding - 1);
    CHECK(memcmp(match->encoding.bytes, encoding, sizeof encoding - 1) == 0);
    CHECK(match->offset == 6 && match->text.len > match->spans[0].end);
    return SEARCHSCOPE_CONTINUE;
}

static int check_bytes_of_path(void *user_data, const searchscope_match *match)
{
    ++*(int *)user_data;
    CHECK(match->path.len == 8 && memcmp(match->path.bytes, "caf\xe9.txt", 9) == 0);
    return SEARCHSCOPE_CONTINUE;
}

static int check_counts(void *user_data, const searchscope_match *match)
{
    ++*(int *)user_data;
    CHECK(match->n_matches == 50);
    CHECK(match->line == 0 && match->last_line == 0 && match->column == 0 && match->offset == 0);
    CHECK(match->text.bytes == NULL && match->text.len == 0 && match->line_bytes == 0);
    CHECK(match->spans == NULL && match->before == NULL && match->after == NULL);
    return SEARCHSCOPE_CONTINUE;
}

/* Compares the fields one by one, without JSON in between. */
static void fields(void)
{
    searchscope_workspace *workspace = open_root();
    int n = 0;

    CHECK_STATUS(SEARCHSCOPE_OK,
                 search_each(workspace,
                             "{\"patterns\":[\"end$\",\"needle\"],\"paths\":[\"bytes.txt\"],"
                             "\"matches_max\":1,\"context_before\":1,\"context_after\":1}",
                             check_fields, &n, NULL));
    CHECK(n == 1);
    n = 0;
    CHECK_STATUS(SEARCHSCOPE_OK,
                 search_each(workspace,
                             "{\"patterns\":[\"needle\"],\"paths\":[\"bytes.txt\"],\"matches_max\":1,"
                             "\"encodings\":[\"utf-8\",\"windows-1252\"]}",
                             check_encoding, &n, NULL));
    CHECK(n == 1);
    n = 0;
    CHECK_STATUS(SEARCHSCOPE_OK, search_each(workspace, "{\"patterns\":[\"in latin\"]}",
                                             check_bytes_of_path, &n, NULL));
    CHECK(n == 1);
    n = 0;
    CHECK_STATUS(SEARCHSCOPE_OK,
                 search_each(workspace,
                             "{\"patterns\":[\"needle\"],\"paths\":[\"many\"],\"mode\":\"count\"}",
                             check_counts, &n, NULL));
    CHECK(n == 40);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

static int check_details(void *user_data, const searchscope_found_file *file)
{
    static const char expected[] = "ldf";
    int n = (*(int *)user_data)++;
    char path[4096];
    struct stat on_disk;

    CHECK(n < 3);
    CHECK(file->has_details == 1 && n < 3 && file->file_type == expected[n]);
    snprintf(path, sizeof path, "%s/%s", root, file->path.bytes);
    CHECK(lstat(path, &on_disk) == 0);
    CHECK(file->size == (uint64_t)on_disk.st_size);
    CHECK(file->modified_ns == on_disk.st_mtim.tv_sec * INT64_C(1000000000) + on_disk.st_mtim.tv_nsec);
    return SEARCHSCOPE_CONTINUE;
}

/* Compares the details of a directory, a symlink and a file with those of the system. */
static void details(void)
{
    searchscope_workspace *workspace = open_root();
    int n = 0;

    CHECK_STATUS(SEARCHSCOPE_OK,
                 find_each(workspace,
                           "{\"details\":true,\"types\":[\"f\",\"d\",\"l\"],"
                           "\"globs\":[\"code\",\"a-link\",\"long.txt\"]}",
                           check_details, &n, NULL));
    CHECK(n == 3);
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_free(workspace));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    start();
    root = argv[1];
    same_as_the_reply();
    fields();
    details();
    return finish();
}
