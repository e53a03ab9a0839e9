/* Results, refusals and threads of each function. */

#include <crd2idx.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                            \
    }                                                                        \
  } while (0)

/* The layout of the structs is part of the interface. */
_Static_assert(sizeof(crd2idx_status) == 4, "a status has 4 bytes");
_Static_assert(sizeof(crd2idx_difference) == 32, "a difference has 32 bytes");
_Static_assert(sizeof(crd2idx_text) == 2 * sizeof(void *), "a text has two words");
_Static_assert(sizeof(crd2idx_error) == 1208, "an error has 1208 bytes");
_Static_assert(offsetof(crd2idx_error, numbers) == 16 && offsetof(crd2idx_error, position) == 48, "the numbers of an error");
_Static_assert(offsetof(crd2idx_error, operation) == 56 && offsetof(crd2idx_error, message) == 184, "the texts of an error");

static crd2idx_layout *parsed(const char *expression) {
  crd2idx_layout *layout = NULL;
  crd2idx_error error;
  if (crd2idx_layout_parse(expression, strlen(expression), &layout, &error) != CRD2IDX_STATUS_OK) {
    fprintf(stderr, "%s: %s\n", expression, error.message);
    exit(1);
  }
  return layout;
}

/* Compares a text with the expected one, and frees it. */
static int is(crd2idx_text *text, const char *expected) {
  int equal = strcmp(text->data, expected) == 0 && text->length == strlen(expected);
  crd2idx_text_free(text);
  return equal && text->data == NULL && text->length == 0;
}

static int contains(crd2idx_text *text, const char *part) {
  int found = strstr(text->data, part) != NULL;
  crd2idx_text_free(text);
  return found;
}

/* Tests and frees the texts of an emission. */
static int emitted(crd2idx_status status, crd2idx_text *device, crd2idx_text *host) {
  if (status != CRD2IDX_STATUS_OK) {
    return 0;
  }
  crd2idx_text_free(host);
  return contains(device, "place");
}

static void numbers(void) {
  crd2idx_layout *layout = parsed("((2,4),(3,5)):((3,6),(1,24))");
  crd2idx_error error;
  int64_t size = 0, cosize = 0, index = 0, extents[4] = {0}, coordinate[4] = {0};
  size_t rank = 0, leaves = 0;
  crd2idx_text text;
  CHECK(crd2idx_layout_size(layout, &size, &error) == CRD2IDX_STATUS_OK && size == 120);
  CHECK(crd2idx_layout_cosize(layout, &cosize, &error) == CRD2IDX_STATUS_OK && cosize == 120);
  CHECK(crd2idx_layout_rank(layout, &rank, &error) == CRD2IDX_STATUS_OK && rank == 2);
  CHECK(crd2idx_layout_leaves(layout, &leaves, &error) == CRD2IDX_STATUS_OK && leaves == 4);
  CHECK(crd2idx_layout_extents(layout, extents, 2, &error) == CRD2IDX_STATUS_OK && extents[0] == 8 && extents[1] == 15);
  CHECK(crd2idx_layout_extents(layout, extents, 4, &error) == CRD2IDX_STATUS_OK && extents[1] == 4 && extents[3] == 5);
  CHECK(crd2idx_layout_text(layout, &text, &error) == CRD2IDX_STATUS_OK && is(&text, "((2,4),(3,5)):((3,6),(1,24))"));

  const int64_t modes[] = {7, 12}, by_leaf[] = {1, 3, 0, 4}, linear = 103, outside[] = {11, 12};
  CHECK(crd2idx_layout_index(layout, modes, 2, &index, &error) == CRD2IDX_STATUS_OK && index == 117);
  CHECK(crd2idx_layout_index(layout, by_leaf, 4, &index, &error) == CRD2IDX_STATUS_OK && index == 117);
  CHECK(crd2idx_layout_index(layout, &linear, 1, &index, &error) == CRD2IDX_STATUS_OK && index == 117);
  CHECK(crd2idx_layout_index(layout, outside, 2, &index, &error) == CRD2IDX_STATUS_OK && index == 129);
  CHECK(crd2idx_layout_coordinate(layout, 117, coordinate, 2, &error) == CRD2IDX_STATUS_OK && coordinate[0] == 7 && coordinate[1] == 12);
  CHECK(crd2idx_layout_unravel(layout, 103, coordinate, 4, &error) == CRD2IDX_STATUS_OK && memcmp(coordinate, by_leaf, sizeof by_leaf) == 0);
  crd2idx_layout_free(layout);

  const int64_t shape[] = {4, 8}, strides[] = {8, 1}, negative[] = {-5, 0};
  CHECK(crd2idx_layout_new(shape, strides, 2, &layout, &error) == CRD2IDX_STATUS_OK);
  CHECK(crd2idx_layout_text(layout, &text, &error) == CRD2IDX_STATUS_OK && is(&text, "(4,8):(8,1)"));
  CHECK(crd2idx_layout_index(layout, negative, 2, &index, &error) == CRD2IDX_STATUS_OK && index == -40);
  crd2idx_layout_free(layout);

  /* One mode, one integer without a tuple, and no mode. */
  layout = parsed("8:3");
  CHECK(crd2idx_layout_index(layout, &shape[0], 1, &index, &error) == CRD2IDX_STATUS_OK && index == 12);
  crd2idx_layout_free(layout);
  layout = parsed("():()");
  CHECK(crd2idx_layout_index(layout, NULL, 0, &index, &error) == CRD2IDX_STATUS_OK && index == 0);
  crd2idx_layout_free(layout);

  /* A swizzle with an offset has no strides, and is computed step by step. */
  layout = parsed("S<2,0,2> o 4 o (4,4):(4,1)");
  CHECK(crd2idx_layout_index(layout, modes, 2, &index, &error) == CRD2IDX_STATUS_OK);
  CHECK(crd2idx_layout_index(layout, (const int64_t[]){1, 2}, 2, &index, &error) == CRD2IDX_STATUS_OK && index == (10 ^ 2));
  crd2idx_layout_free(layout);
}

static void layouts_and_texts(void) {
  crd2idx_error error;
  crd2idx_layout *layout = parsed("(32,16):(1,32)"), *tiles = NULL, *flat = parsed("512:1"), *rows = parsed("(32,16):(16,1)");
  crd2idx_text text, host;
  bool equal = false;
  crd2idx_difference difference;
  CHECK(crd2idx_layout_apply(layout, "zipped_divide", 13, "(8,4)", 5, &tiles, &error) == CRD2IDX_STATUS_OK);
  CHECK(crd2idx_layout_text(tiles, &text, &error) == CRD2IDX_STATUS_OK && is(&text, "((8,4),(4,4)):((1,32),(8,128))"));
  crd2idx_layout_free(tiles);
  CHECK(crd2idx_layout_equal(layout, flat, &equal, NULL, &error) == CRD2IDX_STATUS_OK && equal);
  CHECK(crd2idx_layout_equal(layout, rows, &equal, &difference, &error) == CRD2IDX_STATUS_OK && !equal);
  CHECK(difference.at == 1 && difference.has_left && difference.left == 1 && difference.has_right && difference.right == 16);
  crd2idx_layout_free(rows);
  crd2idx_layout_free(flat);
  crd2idx_layout_free(layout);

  CHECK(crd2idx_eval("coalesce((2,4):(1,2))", 21, &text, &error) == CRD2IDX_STATUS_OK && is(&text, "8:1"));
  CHECK(crd2idx_eval("(?{div=8},64):(64,1)", 20, &text, &error) == CRD2IDX_STATUS_OK && contains(&text, "div=8"));
  CHECK(crd2idx_explain("(4,8):(8,1)", 11, "(2,5)", 5, &text, &error) == CRD2IDX_STATUS_OK && contains(&text, "21"));
  CHECK(crd2idx_explain("coalesce((2,4):(1,2))", 21, NULL, 0, &text, &error) == CRD2IDX_STATUS_OK && contains(&text, "8:1"));

  static const char *languages[] = {"c", "cuda", "hip", "opencl", "wgsl", "rust", "mlir"};
  for (size_t k = 0; k < sizeof languages / sizeof *languages; k++) {
    CHECK(emitted(crd2idx_layout_emit("(8,64):(64,1)", 13, languages[k], strlen(languages[k]), "place", 5, &text, &host, &error), &text, &host));
    char request[512];
    snprintf(request, sizeof request,
             "{\"graph\": {\"nodes\": [{\"name\": \"i\", \"size\": 2, \"stride\": 3}, {\"name\": \"j\", \"size\": 3, \"stride\": 1}, "
             "{\"name\": \"k\", \"size\": 6, \"stride\": 1}], \"edges\": [{\"type\": \"Flatten\", \"inputs\": [\"i\", \"j\"], \"outputs\": "
             "[\"k\"]}]}, \"forward\": [\"i\", \"j\"], \"targets\": [\"k\"], \"to\": \"%s\", \"name\": \"place\"}",
             languages[k]);
    CHECK(emitted(crd2idx_emit(request, strlen(request), &text, &host, &error), &text, &host));
  }
  /* A host function computes what is constant in a launch. */
  const char *divided = "((4,?),8):((1,?),4)";
  CHECK(crd2idx_layout_emit(divided, strlen(divided), "cuda", 4, "place", 5, &text, &host, &error) == CRD2IDX_STATUS_OK);
  CHECK(contains(&text, "__device__") && host.data != NULL);
  crd2idx_text_free(&host);

  const char *plan = "{\"from\": \"(4,4):(1@0,1@1)\", \"to\": \"(4,4):(1@1,1@0)\", \"element_bytes\": 4}";
  CHECK(crd2idx_plan(plan, strlen(plan), &text, &error) == CRD2IDX_STATUS_OK && contains(&text, "\"copies\":["));
  const char *request = "{\"op\": \"coalesce\", \"args\": [\"(2,4):(1,2)\"]}";
  CHECK(crd2idx_answer(request, strlen(request), &text, &error) == CRD2IDX_STATUS_OK && is(&text, "{\"ok\":\"8:1\"}"));
  CHECK(crd2idx_answer("nonsense", 8, &text, &error) == CRD2IDX_STATUS_OK && contains(&text, "\"error\":"));
  const char *picture = "{\"arguments\": [\"svg\", \"layout\", \"(4,8):(8,1)\"]}";
  CHECK(crd2idx_command(picture, strlen(picture), &text, &error) == CRD2IDX_STATUS_OK && contains(&text, "<svg"));
}

static void refusals(void) {
  crd2idx_error error;
  crd2idx_layout *layout = NULL, *other = NULL;
  crd2idx_text text;
  int64_t number = 0, three[3] = {0};

  /* A refusal of the algebra has the operation, the mode, the numbers and the class. */
  const char *refused = "zipped_divide((30,8):(1,30), (8,4))";
  CHECK(crd2idx_layout_parse(refused, strlen(refused), &layout, &error) == CRD2IDX_STATUS_REFUSED && layout == NULL);
  CHECK(error.status == CRD2IDX_STATUS_REFUSED && strcmp(error.class_name, "layout/tile_does_not_divide") == 0);
  CHECK(strcmp(error.operation, "zipped_divide") == 0);
  CHECK(strcmp(error.message, "zipped_divide: tile 8 does not divide the extent 30 of mode 0") == 0);
  CHECK(error.depth == 1 && error.modes[0] == 0 && error.numbers[0] == 8 && error.numbers[1] == 30 && (error.known & 3) == 3);
  CHECK(error.position == -1);

  /* What is read wrongly is quoted. A tuple is no layout, and a run-time number has no index. */
  CHECK(crd2idx_layout_parse("(4,8):(8,x)", 11, &layout, &error) == CRD2IDX_STATUS_REFUSED && strstr(error.message, "`x)`") != NULL);
  CHECK(crd2idx_layout_parse("(4,8)", 5, &layout, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(strcmp(error.class_name, "layout/operand_kind") == 0);
  CHECK(crd2idx_layout_parse("(?,8):(8,1)", 11, &layout, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(crd2idx_layout_parse("", 0, &layout, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(crd2idx_layout_parse(NULL, 0, &layout, &error) == CRD2IDX_STATUS_REFUSED);

  /* Bytes that are not UTF-8. */
  CHECK(crd2idx_layout_parse("(4,\xff", 4, &layout, &error) == CRD2IDX_STATUS_ENCODING && error.position == 3);
  CHECK(crd2idx_answer("\xc3", 1, &text, &error) == CRD2IDX_STATUS_ENCODING && error.position == 0);

  /* Null, with and without a report. */
  CHECK(crd2idx_layout_parse(NULL, 3, &layout, &error) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(strcmp(error.class_name, "call/null_pointer") == 0 && strcmp(error.message, "`expression` is null") == 0);
  CHECK(crd2idx_layout_parse("8:1", 3, NULL, NULL) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_layout_size(NULL, &number, NULL) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_layout_text(NULL, &text, NULL) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_eval("8:1", 3, NULL, &error) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_plan(NULL, 1, &text, &error) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_layout_equal(NULL, NULL, NULL, NULL, &error) == CRD2IDX_STATUS_NULL_POINTER);
  crd2idx_layout_free(NULL);
  crd2idx_text_free(NULL);

  layout = parsed("((2,4),8):((1,2),8)");
  CHECK(crd2idx_layout_index(layout, NULL, 2, &number, &error) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_layout_index(layout, three, 2, NULL, &error) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_layout_indices(layout, three, 1, 2, NULL, &error) == CRD2IDX_STATUS_NULL_POINTER);
  CHECK(crd2idx_layout_apply(layout, "coalesce", 8, NULL, 0, NULL, &error) == CRD2IDX_STATUS_NULL_POINTER);

  /* Numbers at an odd address. */
  union {
    char bytes[64];
    int64_t align;
  } odd = {{0}};
  const int64_t *misaligned = (const int64_t *)(const void *)(odd.bytes + 1);
  CHECK(crd2idx_layout_index(layout, misaligned, 2, &number, &error) == CRD2IDX_STATUS_MISALIGNED);
  CHECK(crd2idx_layout_extents(layout, (int64_t *)(void *)(odd.bytes + 4), 2, &error) == CRD2IDX_STATUS_MISALIGNED);
  CHECK(strcmp(error.message, "`extents` is not aligned to 8 bytes") == 0);

  /* Lengths: 1, the rank 2 and the 3 leaves are the forms of a coordinate. */
  CHECK(crd2idx_layout_index(layout, three, 4, &number, &error) == CRD2IDX_STATUS_LENGTH);
  CHECK(error.numbers[0] == 4 && error.numbers[1] == 2 && error.numbers[2] == 3 && error.known == 7);
  CHECK(crd2idx_layout_index(layout, three, 0, &number, &error) == CRD2IDX_STATUS_LENGTH);
  CHECK(crd2idx_layout_indices(layout, three, SIZE_MAX / 2, 3, &number, &error) == CRD2IDX_STATUS_LENGTH);
  CHECK(crd2idx_layout_indices(layout, three, SIZE_MAX / 16, 2, &number, &error) == CRD2IDX_STATUS_LENGTH);

  /* An index that no coordinate has, an operation that does not exist, one that gives no layout. */
  CHECK(crd2idx_layout_coordinate(layout, 64, three, 2, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(strcmp(error.message, "preimage: no coordinate of the layout has index 64") == 0);
  CHECK(crd2idx_layout_apply(layout, "nothing", 7, NULL, 0, &other, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(strcmp(error.class_name, "call/unknown_op") == 0);
  CHECK(crd2idx_layout_apply(layout, "size", 4, NULL, 0, &other, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(crd2idx_layout_apply(layout, "zipped_divide", 13, "(5,2)", 5, &other, &error) == CRD2IDX_STATUS_REFUSED);

  /* One refused coordinate among several: the index overflows. */
  const int64_t many[] = {0, 1, 1, 2, INT64_MAX, INT64_MAX};
  int64_t indices[3] = {-1, -1, -1};
  CHECK(crd2idx_layout_indices(layout, many, 3, 2, indices, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(error.position == 2 && indices[0] == 8 && indices[1] == 17 && indices[2] == -1);
  crd2idx_layout_free(layout);

  /* An index that is a coordinate. */
  layout = parsed("(4,8):(1@0,1@1)");
  CHECK(crd2idx_layout_index(layout, three, 2, &number, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(strcmp(error.class_name, "layout/basis_stride") == 0);
  crd2idx_layout_free(layout);

  /* Refusals of requests. */
  CHECK(crd2idx_plan("{}", 2, &text, &error) == CRD2IDX_STATUS_REFUSED && error.message[0] != 0);
  CHECK(crd2idx_plan("[]", 2, &text, &error) == CRD2IDX_STATUS_REFUSED && strcmp(error.class_name, "plan/malformed") == 0);
  CHECK(crd2idx_plan("{", 1, &text, &error) == CRD2IDX_STATUS_REFUSED && strstr(error.message, "unreadable request") != NULL);
  crd2idx_text host;
  CHECK(crd2idx_layout_emit("8:1", 3, "cobol", 5, "f", 1, &text, &host, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(strcmp(error.operation, "emit") == 0 && strstr(error.message, "cobol") != NULL);
  const char *expressions = "{\"layout\": \"8:1\", \"to\": \"c\", \"expression\": true}";
  CHECK(crd2idx_emit(expressions, strlen(expressions), &text, &host, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(crd2idx_explain("(4,8:1", 6, NULL, 0, &text, &error) == CRD2IDX_STATUS_REFUSED);
  CHECK(crd2idx_explain("graph", 5, NULL, 0, &text, &error) == CRD2IDX_STATUS_REFUSED);

  /* A long message is cut, and ends. */
  char *long_name = malloc(5000);
  if (long_name != NULL) {
    memset(long_name, 'q', 5000);
    CHECK(crd2idx_layout_emit("8:1", 3, long_name, 5000, "f", 1, &text, &host, &error) == CRD2IDX_STATUS_REFUSED);
    CHECK(strlen(error.message) == sizeof error.message - 1);
    free(long_name);
  }
}

enum { THREADS = 4, ROUNDS = 500 };

/* Uses a layout that other threads use, and makes layouts, texts and errors of its own, in a stack of 1 MiB. */
static void *work(void *shared) {
  size_t *wrong = calloc(1, sizeof *wrong);
  if (wrong == NULL) {
    exit(1);
  }
  for (int64_t round = 0; round < ROUNDS; round++) {
    const int64_t coordinate[] = {round % 8, round % 15};
    int64_t index = -1, back[2] = {-1, -1};
    crd2idx_text text;
    crd2idx_error error;
    *wrong += crd2idx_layout_index(shared, coordinate, 2, &index, &error) != CRD2IDX_STATUS_OK;
    *wrong += crd2idx_layout_coordinate(shared, index, back, 2, &error) != CRD2IDX_STATUS_OK;
    *wrong += back[0] != coordinate[0] || back[1] != coordinate[1];
    *wrong += crd2idx_eval("coalesce((2,4):(1,2))", 21, &text, &error) != CRD2IDX_STATUS_OK;
    *wrong += !is(&text, "8:1");
    *wrong += crd2idx_eval("zipped_divide((30,8):(1,30), (8,4))", 35, &text, &error) != CRD2IDX_STATUS_REFUSED;
    *wrong += error.numbers[1] != 30;
    crd2idx_layout *own = parsed("S<3,4,3> o 0 o (8,64):(64,1)");
    crd2idx_layout_free(own);
  }
  return wrong;
}

static void threads(void) {
  crd2idx_layout *layout = parsed("((2,4),(3,5)):((3,6),(1,24))");
  pthread_t thread[THREADS];
  pthread_attr_t small;
  CHECK(pthread_attr_init(&small) == 0);
  CHECK(pthread_attr_setstacksize(&small, 1 << 20) == 0);
  for (size_t k = 0; k < THREADS; k++) {
    CHECK(pthread_create(&thread[k], &small, work, layout) == 0);
  }
  for (size_t k = 0; k < THREADS; k++) {
    void *wrong = NULL;
    CHECK(pthread_join(thread[k], &wrong) == 0);
    CHECK(wrong != NULL && *(size_t *)wrong == 0);
    free(wrong);
  }
  pthread_attr_destroy(&small);
  crd2idx_layout_free(layout);
}

int main(int count, char **arguments) {
  if (count == 2 && strcmp(arguments[1], "leak") == 0) {
    /* The script checks that the sanitizer reports these: a layout and a text that nobody frees. */
    crd2idx_layout *layout = parsed("8:1");
    crd2idx_text text;
    CHECK(crd2idx_layout_text(layout, &text, NULL) == CRD2IDX_STATUS_OK);
    layout = NULL;
    memset(&text, 0, sizeof text);
    return failures;
  }
  CHECK(crd2idx_abi() == CRD2IDX_ABI);
  numbers();
  layouts_and_texts();
  refusals();
  threads();
  printf("%d checks of calls fail\n", failures);
  return failures == 0 ? 0 : 1;
}
