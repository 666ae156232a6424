/* A small generator with fixed seeds, so that failures repeat. */
#ifndef RANDOM_H
#define RANDOM_H

static inline unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

#endif
