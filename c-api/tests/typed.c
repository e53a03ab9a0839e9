/*
 * Compares the functions with the answers of the command. Each line of standard input has fields between tabs: a kind, operands,
 * and the expected result. `vectors.py` writes the lines.
 */

#include <crd2idx.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 8, MOST_NUMBERS = 1 << 16 };

static int64_t given[MOST_NUMBERS], found[MOST_NUMBERS];

/* Reads integers between spaces, and returns their number. */
static size_t numbers(char *text, int64_t *out) {
  size_t count = 0;
  for (char *word = strtok(text, " "); word != NULL && count < MOST_NUMBERS; word = strtok(NULL, " ")) {
    out[count++] = strtoll(word, NULL, 10);
  }
  return count;
}

static bool same(const int64_t *a, const int64_t *b, size_t count) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool eval(const char *expression, const char *expected) {
  crd2idx_text value;
  crd2idx_error error;
  crd2idx_status status = crd2idx_eval(expression, strlen(expression), &value, &error);
  if (status != CRD2IDX_STATUS_OK) {
    return status == CRD2IDX_STATUS_REFUSED && expected == NULL && error.message[0] != 0 && error.class_name[0] != 0;
  }
  bool as_expected = expected != NULL && strcmp(value.data, expected) == 0 && strlen(value.data) == value.length;
  crd2idx_text_free(&value);
  return as_expected;
}

/* The index of one coordinate, also as one of several. */
static bool index_of(const crd2idx_layout *layout, char *coordinate, int64_t expected) {
  size_t count = numbers(coordinate, given);
  int64_t index = -1;
  if (crd2idx_layout_index(layout, given, count, &index, NULL) != CRD2IDX_STATUS_OK || index != expected) {
    return false;
  }
  memcpy(given + count, given, count * sizeof *given);
  return crd2idx_layout_indices(layout, given, 2, count, found, NULL) == CRD2IDX_STATUS_OK && found[0] == expected && found[1] == expected;
}

/* The indices of all linear coordinates, and of the same coordinates mode by mode and leaf by leaf. */
static bool all_indices(const crd2idx_layout *layout, char *expected) {
  size_t count = numbers(expected, found), widths[3] = {1, 0, 0};
  int64_t size = 0;
  if (crd2idx_layout_size(layout, &size, NULL) != CRD2IDX_STATUS_OK || (size_t)size != count ||
      crd2idx_layout_rank(layout, &widths[1], NULL) != CRD2IDX_STATUS_OK ||
      crd2idx_layout_leaves(layout, &widths[2], NULL) != CRD2IDX_STATUS_OK) {
    return false;
  }
  for (size_t k = 0; k < count; k++) {
    for (size_t form = 0; form < 3; form++) {
      int64_t index = -1;
      if (crd2idx_layout_unravel(layout, (int64_t)k, given, widths[form], NULL) != CRD2IDX_STATUS_OK ||
          crd2idx_layout_index(layout, given, widths[form], &index, NULL) != CRD2IDX_STATUS_OK || index != found[k]) {
        return false;
      }
    }
  }
  return true;
}

/* A coordinate of an index by leaves. `none` stands for a refusal. */
static bool coordinate_of(const crd2idx_layout *layout, int64_t index, char *expected) {
  size_t leaves = 0;
  if (crd2idx_layout_leaves(layout, &leaves, NULL) != CRD2IDX_STATUS_OK || leaves > 64) {
    return false;
  }
  int64_t linear = -1, back = -1;
  crd2idx_status status = crd2idx_layout_coordinate(layout, index, given, leaves, NULL);
  if (strcmp(expected, "none") == 0) {
    return status == CRD2IDX_STATUS_REFUSED;
  }
  return status == CRD2IDX_STATUS_OK && numbers(expected, found) == leaves && same(given, found, leaves) &&
         crd2idx_layout_coordinate(layout, index, &linear, 1, NULL) == CRD2IDX_STATUS_OK &&
         crd2idx_layout_index(layout, &linear, 1, &back, NULL) == CRD2IDX_STATUS_OK && back == index;
}

static bool number_of(const crd2idx_layout *layout, const char *which, int64_t expected) {
  int64_t value = -1;
  size_t count = 0;
  crd2idx_status status;
  if (strcmp(which, "rank") == 0) {
    status = crd2idx_layout_rank(layout, &count, NULL);
    value = (int64_t)count;
  } else if (strcmp(which, "size") == 0) {
    status = crd2idx_layout_size(layout, &value, NULL);
  } else {
    status = crd2idx_layout_cosize(layout, &value, NULL);
  }
  return status == CRD2IDX_STATUS_OK && value == expected;
}

/* Whether two layouts are equal, or `at left right` of the first difference. A dash is no index. */
static bool equality(const crd2idx_layout *left, const char *other, char *expected) {
  crd2idx_layout *right = NULL;
  if (crd2idx_layout_parse(other, strlen(other), &right, NULL) != CRD2IDX_STATUS_OK) {
    return false;
  }
  bool equal = false, as_expected;
  crd2idx_difference first;
  memset(&first, 0, sizeof first);
  crd2idx_status status = crd2idx_layout_equal(left, right, &equal, &first, NULL);
  crd2idx_layout_free(right);
  if (strcmp(expected, "refused") == 0) {
    return status == CRD2IDX_STATUS_REFUSED;
  }
  if (status != CRD2IDX_STATUS_OK || equal || strcmp(expected, "equal") == 0) {
    return status == CRD2IDX_STATUS_OK && equal && strcmp(expected, "equal") == 0;
  }
  char written[128], one[24] = "-", two[24] = "-";
  if (first.has_left) {
    snprintf(one, sizeof one, "%" PRId64, first.left);
  }
  if (first.has_right) {
    snprintf(two, sizeof two, "%" PRId64, first.right);
  }
  snprintf(written, sizeof written, "%" PRId64 " %s %s", first.at, one, two);
  as_expected = strcmp(written, expected) == 0;
  return as_expected;
}

/* `operation(layout, operand)` as a layout, in the notation. */
static bool applied(const crd2idx_layout *layout, const char *operation, const char *operand, const char *expected) {
  crd2idx_layout *result = NULL;
  crd2idx_text notation;
  size_t length = operand[0] == 0 ? 0 : strlen(operand);
  if (crd2idx_layout_apply(layout, operation, strlen(operation), length == 0 ? NULL : operand, length, &result, NULL) != CRD2IDX_STATUS_OK) {
    return false;
  }
  bool as_expected = crd2idx_layout_text(result, &notation, NULL) == CRD2IDX_STATUS_OK;
  if (as_expected) {
    as_expected = strcmp(notation.data, expected) == 0;
    crd2idx_text_free(&notation);
  }
  crd2idx_layout_free(result);
  return as_expected;
}

static bool holds(char **field, size_t count) {
  const char *kind = field[0];
  if (strcmp(kind, "eval") == 0) {
    return count == 3 && eval(field[1], field[2]);
  }
  if (strcmp(kind, "refused") == 0) {
    return count == 2 && eval(field[1], NULL);
  }
  crd2idx_layout *layout = NULL;
  if (crd2idx_layout_parse(field[1], strlen(field[1]), &layout, NULL) != CRD2IDX_STATUS_OK) {
    return false;
  }
  bool as_expected = false;
  if (strcmp(kind, "index") == 0 && count == 4) {
    as_expected = index_of(layout, field[2], strtoll(field[3], NULL, 10));
  } else if (strcmp(kind, "all") == 0 && count == 3) {
    as_expected = all_indices(layout, field[2]);
  } else if (strcmp(kind, "coordinate") == 0 && count == 4) {
    as_expected = coordinate_of(layout, strtoll(field[2], NULL, 10), field[3]);
  } else if (strcmp(kind, "number") == 0 && count == 4) {
    as_expected = number_of(layout, field[2], strtoll(field[3], NULL, 10));
  } else if (strcmp(kind, "equal") == 0 && count == 4) {
    as_expected = equality(layout, field[2], field[3]);
  } else if (strcmp(kind, "apply") == 0 && count == 5) {
    as_expected = applied(layout, field[2], field[3], field[4]);
  }
  crd2idx_layout_free(layout);
  return as_expected;
}

int main(void) {
  char *line = NULL, *shown = NULL;
  size_t room = 0, passed = 0, failed = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 1) {
    line[length - 1] = 0;
    free(shown);
    shown = malloc((size_t)length);
    if (shown == NULL) {
      break;
    }
    memcpy(shown, line, (size_t)length);
    char *field[MOST_FIELDS];
    size_t count = 0;
    for (char *at = line; at != NULL && count < MOST_FIELDS;) {
      char *tab = strchr(at, '\t');
      field[count++] = at;
      if (tab != NULL) {
        *tab++ = 0;
      }
      at = tab;
    }
    if (holds(field, count)) {
      passed++;
    } else {
      failed++;
      fprintf(stderr, "differs: %s\n", shown);
    }
  }
  free(shown);
  free(line);
  printf("%zu results of typed functions are the command's, %zu are not\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
