/* Short forms of calls that are expected to be well formed. */
#ifndef CALLS_H
#define CALLS_H

#include "check.h"

/* All results of the tree `rich` of fixtures.rs. */
#define ALL "{\"patterns\":[\"needle\"],\"matches_max\":100000}"
#define FILES "{\"files_max\":100000}"

static const char *root;

static inline searchscope_workspace *open_root(void)
{
    searchscope_workspace *workspace = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_workspace_open(root, NULL, &workspace, NULL));
    return workspace;
}

static inline searchscope_status search_each(const searchscope_workspace *workspace, const char *args,
                                             searchscope_on_match on_match, void *user_data,
                                             searchscope_report **out_report)
{
    return searchscope_search_each(workspace, REQUEST(args), on_match, user_data, out_report);
}

static inline searchscope_status find_each(const searchscope_workspace *workspace, const char *args,
                                           searchscope_on_file on_file, void *user_data,
                                           searchscope_report **out_report)
{
    return searchscope_find_each(workspace, REQUEST(args), on_file, user_data, out_report);
}

static inline searchscope_report *call(const searchscope_workspace *workspace, const char *tool,
                                       const char *args)
{
    searchscope_report *report = NULL;
    CHECK_STATUS(SEARCHSCOPE_OK, searchscope_call(workspace, tool, REQUEST(args), &report));
    return report;
}

#endif
