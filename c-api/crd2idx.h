/*
 * The C interface of crd2idx: layouts, which map coordinates to memory indices.
 *
 * Every function that may fail returns a status. CRD2IDX_STATUS_OK is 0. If a call fails, it writes the reason to `error`, and
 * writes no results unless its text says so. `error` may be null. A call that succeeds leaves the error as it is.
 *
 * Texts that a function takes are UTF-8: a pointer, and the number of bytes without a 0 at the end. Texts that a function
 * returns are owned by the caller, and end with a 0 byte: crd2idx_text_free frees them.
 *
 * A pointer to a handle or to a result is null, which is refused, or valid and aligned. Results of one call do not overlap.
 * Null, misaligned arrays, lengths that do not fit, and texts that are not UTF-8 are refused.
 *
 * No call depends on another. Threads may call all functions at once, and share layouts, which never change. No panic leaves
 * the library: it becomes CRD2IDX_STATUS_PANICKED. Memory that runs out aborts the process, as in all Rust programs.
 */


#ifndef CRD2IDX_H
#define CRD2IDX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version of this interface. It rises if a function or a struct changes; new functions leave it as it is.
 */
#define CRD2IDX_ABI 1

/**
 * The result of a call. The numbers never change.
 */
enum crd2idx_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The call succeeded. All its results are written, and the error is not.
   */
  CRD2IDX_STATUS_OK = 0,
  /**
   * The library refuses the operands. `crd2idx_error.class_name` names the reason.
   */
  CRD2IDX_STATUS_REFUSED = 1,
  /**
   * A pointer is null that must not be.
   */
  CRD2IDX_STATUS_NULL_POINTER = 2,
  /**
   * A pointer to numbers is not aligned for them.
   */
  CRD2IDX_STATUS_MISALIGNED = 3,
  /**
   * An array has a length that does not fit.
   */
  CRD2IDX_STATUS_LENGTH = 4,
  /**
   * A text is not UTF-8.
   */
  CRD2IDX_STATUS_ENCODING = 5,
  /**
   * The library failed: a defect. The handles stay valid.
   */
  CRD2IDX_STATUS_PANICKED = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum crd2idx_status crd2idx_status;
#else
typedef int32_t crd2idx_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A layout of known numbers. It never changes, so threads may share it.
 */
typedef struct crd2idx_layout crd2idx_layout;

/**
 * The report of a call that did not succeed. It owns no memory.
 *
 * The texts end with a 0 byte. A text that is too long is cut at a character.
 */
typedef struct crd2idx_error {
  /**
   * The status that the call returned.
   */
  crd2idx_status status;
  /**
   * The number of entries of `modes`.
   */
  uint32_t depth;
  /**
   * The mode that is refused: the mode numbers from the outermost inwards. Without entries it is the whole layout.
   */
  uint8_t modes[8];
  /**
   * The numbers of the message, in the order of its text.
   */
  int64_t numbers[3];
  /**
   * Bit `k` is set if `numbers[k]` is a number of the message and known.
   */
  uint32_t known;
  /**
   * 0, for later versions.
   */
  uint32_t reserved;
  /**
   * The refused coordinate among several, or the first byte of a text that is not UTF-8. It is -1 for all other errors.
   */
  int64_t position;
  /**
   * The refused operation, such as `zipped_divide`. It is empty if no operation refused.
   */
  char operation[48];
  /**
   * The class of the error, `family/detail`, such as `layout/tile_does_not_divide`. It is the same in every version.
   */
  char class_name[80];
  /**
   * The message, with the operation, the mode and the numbers.
   */
  char message[1024];
} crd2idx_error;

/**
 * A text that the library allocated. The caller frees it by `crd2idx_text_free`, also if the text is empty.
 */
typedef struct crd2idx_text {
  /**
   * The bytes, in UTF-8, then a 0 byte. It is null if the text has been freed.
   */
  char *data;
  /**
   * The number of bytes without the 0 byte.
   */
  size_t length;
} crd2idx_text;

/**
 * The first coordinate at which two layouts differ.
 */
typedef struct crd2idx_difference {
  /**
   * The least linear coordinate at which the layouts differ.
   */
  int64_t at;
  /**
   * The index of the first layout there.
   */
  int64_t left;
  /**
   * The index of the second layout there.
   */
  int64_t right;
  /**
   * False if the first layout has no integer index there: the coordinate is outside, or its strides are coordinates.
   */
  bool has_left;
  /**
   * False if the second layout has no integer index there.
   */
  bool has_right;
} crd2idx_difference;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the interface that the library has. A program compares it with `CRD2IDX_ABI` of its header.
 */
uint32_t crd2idx_abi(void);

/**
 * Makes a layout of an expression: a layout in the notation, also swizzled or composed, or operations on layouts by name.
 *
 * `((2,4),(3,5)):((3,6),(1,24))`, `S<3,4,3> o 0 o (8,64):(64,1)` and `zipped_divide((32,16):(1,32), (8,4))` are expressions. All
 * numbers must be known: `crd2idx_eval` takes expressions with `?`.
 *
 * `expression` points to `length` bytes of UTF-8.
 *
 * Precondition:
 *
 * `expression` is null, or `length` bytes can be read there.
 */
crd2idx_status crd2idx_layout_parse(const char *expression,
                                    size_t length,
                                    struct crd2idx_layout **layout,
                                    struct crd2idx_error *error);

/**
 * Makes the layout with these extents and strides, one of each for each mode, as `make_layout(make_shape(..), make_stride(..))`.
 *
 * `extents` and `strides` point to `rank` numbers.
 *
 * Precondition:
 *
 * Each pointer is null, misaligned, or `rank` numbers can be read there.
 */
crd2idx_status crd2idx_layout_new(const int64_t *extents,
                                  const int64_t *strides,
                                  size_t rank,
                                  struct crd2idx_layout **layout,
                                  struct crd2idx_error *error);

/**
 * Frees a layout. Does nothing for null.
 *
 * No thread may use the layout during the call or after it.
 */
void crd2idx_layout_free(struct crd2idx_layout *layout);

/**
 * Writes the layout in the notation.
 */
crd2idx_status crd2idx_layout_text(const struct crd2idx_layout *layout,
                                   struct crd2idx_text *text,
                                   struct crd2idx_error *error);

/**
 * Writes the number of coordinates of a layout to `result`.
 */
crd2idx_status crd2idx_layout_size(const struct crd2idx_layout *layout, int64_t *result, struct crd2idx_error *error);

/**
 * Writes the greatest minus the least index of a layout, plus 1, to `result`. An empty layout has the cosize 0.
 */
crd2idx_status crd2idx_layout_cosize(const struct crd2idx_layout *layout, int64_t *result, struct crd2idx_error *error);

/**
 * Writes the number of modes of a layout to `result`.
 */
crd2idx_status crd2idx_layout_rank(const struct crd2idx_layout *layout, size_t *result, struct crd2idx_error *error);

/**
 * Writes the number of leaves of a layout, the integers of its shape, to `result`.
 */
crd2idx_status crd2idx_layout_leaves(const struct crd2idx_layout *layout, size_t *result, struct crd2idx_error *error);

/**
 * Writes the extents of a layout. `count` is 1 for the size, the rank for the sizes of the modes, or the number of leaves for their
 * extents.
 *
 * Precondition:
 *
 * `extents` is null, misaligned, or `count` numbers can be written there.
 */
crd2idx_status crd2idx_layout_extents(const struct crd2idx_layout *layout,
                                      int64_t *extents,
                                      size_t count,
                                      struct crd2idx_error *error);

/**
 * Writes the index of a coordinate to `index`.
 *
 * `coordinate` points to `count` integers: one for the whole layout, which counts with the first mode fastest; one for each mode; or
 * one for each leaf, in the order of the notation. Outside the shape, the last leaf of a mode takes the whole quotient.
 *
 * Precondition:
 *
 * `coordinate` is null, misaligned, or `count` numbers can be read there.
 */
crd2idx_status crd2idx_layout_index(const struct crd2idx_layout *layout,
                                    const int64_t *coordinate,
                                    size_t count,
                                    int64_t *index,
                                    struct crd2idx_error *error);

/**
 * Writes the indices of several coordinates, as `crd2idx_layout_index` does for one.
 *
 * `coordinates` points to `coordinate_count * width` integers, `width` for each coordinate, one coordinate after another. `indices`
 * has room for `coordinate_count` numbers, and does not overlap `coordinates`. If a coordinate is refused, `position` of the error is
 * its number, and the indices before it are written.
 *
 * Precondition:
 *
 * Each pointer is null, misaligned, or its numbers can be read, or written, there.
 */
crd2idx_status crd2idx_layout_indices(const struct crd2idx_layout *layout,
                                      const int64_t *coordinates,
                                      size_t coordinate_count,
                                      size_t width,
                                      int64_t *indices,
                                      struct crd2idx_error *error);

/**
 * Writes a coordinate whose index is `index`. Fails if the layout has none.
 *
 * `count` is 1, the rank or the number of leaves, as for `crd2idx_layout_index`.
 *
 * Precondition:
 *
 * `coordinate` is null, misaligned, or `count` numbers can be written there.
 */
crd2idx_status crd2idx_layout_coordinate(const struct crd2idx_layout *layout,
                                         int64_t index,
                                         int64_t *coordinate,
                                         size_t count,
                                         struct crd2idx_error *error);

/**
 * Writes coordinate number `k` of the shape, with the first mode fastest: a loop over `k` visits all coordinates.
 *
 * `count` is the rank or the number of leaves, as for `crd2idx_layout_index`.
 *
 * Precondition:
 *
 * `coordinate` is null, misaligned, or `count` numbers can be written there.
 */
crd2idx_status crd2idx_layout_unravel(const struct crd2idx_layout *layout,
                                      int64_t k,
                                      int64_t *coordinate,
                                      size_t count,
                                      struct crd2idx_error *error);

/**
 * Makes the layout that an operation gives: `operation(layout)`, or `operation(layout, operand)` if `operand` is not null.
 *
 * `operation` names one of `crd2idx ops`, such as `coalesce` or `zipped_divide`. `operand` is a text in the notation. Operations of
 * more operands, and operations that give no layout, are expressions of `crd2idx_layout_parse` and `crd2idx_eval`.
 *
 * Precondition:
 *
 * Each text is null, or its bytes can be read there.
 */
crd2idx_status crd2idx_layout_apply(const struct crd2idx_layout *layout,
                                    const char *operation,
                                    size_t operation_length,
                                    const char *operand,
                                    size_t operand_length,
                                    struct crd2idx_layout **given,
                                    struct crd2idx_error *error);

/**
 * Compares two layouts as functions of the linear coordinate: writes true to `equal` if they have the same size and the same index
 * at each coordinate.
 *
 * If they differ, and `difference` is not null, the first difference is written there.
 */
crd2idx_status crd2idx_layout_equal(const struct crd2idx_layout *left,
                                    const struct crd2idx_layout *right,
                                    bool *equal,
                                    struct crd2idx_difference *difference,
                                    struct crd2idx_error *error);

/**
 * Frees a text, and sets its pointer to null and its length to 0. Does nothing for a text that has been freed, and for null.
 *
 * The struct must come from the library, or be all 0. A copy of it must not be freed, too.
 */
void crd2idx_text_free(struct crd2idx_text *text);

/**
 * Writes the value of an expression, as `crd2idx eval` prints it.
 *
 * Expressions are operands in the notation (layouts, tuples, tilers, swizzles, composed layouts), and operations by name, nested:
 * `crd2idx ops` lists them. Run-time numbers are `?`, as in `(?{div=8},64):(64,1)`.
 *
 * Precondition:
 *
 * `expression` is null, or `length` bytes can be read there.
 */
crd2idx_status crd2idx_eval(const char *expression,
                            size_t length,
                            struct crd2idx_text *value,
                            struct crd2idx_error *error);

/**
 * Writes an explanation of an expression: how its value comes about, or what fails and what would work.
 *
 * If `coordinate` is not null, the explanation is of the index of this coordinate, a text in the notation.
 *
 * Precondition:
 *
 * Each text is null, or its bytes can be read there.
 */
crd2idx_status crd2idx_explain(const char *expression,
                               size_t length,
                               const char *coordinate,
                               size_t coordinate_length,
                               struct crd2idx_text *explanation,
                               struct crd2idx_error *error);

/**
 * Writes the index function of a layout as source text.
 *
 * `language` is `c`, `cuda`, `hip`, `opencl`, `wgsl`, `rust` or `mlir`. `name` is the name of the function. `expression` may have
 * run-time numbers, `?`, which become parameters. `device` gets the function. `host` gets the function that computes on the host what
 * is constant in a launch, and is empty if there is none. `crd2idx_emit` has more options.
 *
 * Precondition:
 *
 * Each text is null, or its bytes can be read there.
 */
crd2idx_status crd2idx_layout_emit(const char *expression,
                                   size_t length,
                                   const char *language,
                                   size_t language_length,
                                   const char *name,
                                   size_t name_length,
                                   struct crd2idx_text *device,
                                   struct crd2idx_text *host,
                                   struct crd2idx_error *error);

/**
 * Writes the index function of a layout, or of a question about a coordinate graph, as source text.
 *
 * `request` is the JSON of the request `emit` of `crd2idx batch`, with or without its `op`. For a graph it is
 * `{"graph": {..}, "forward": ["i", "j"], "targets": ["k"], "to": "cuda", "name": "place"}`. `device` and `host` are as for
 * `crd2idx_layout_emit`. A request for expressions (`"expression": true`) is one for `crd2idx_answer`.
 *
 * Precondition:
 *
 * `request` is null, or `length` bytes can be read there.
 */
crd2idx_status crd2idx_emit(const char *request,
                            size_t length,
                            struct crd2idx_text *device,
                            struct crd2idx_text *host,
                            struct crd2idx_error *error);

/**
 * Writes the plan of copies that brings every element of a tensor from one layout to another, as JSON.
 *
 * `request` is the JSON of the request `plan` of `crd2idx batch`, with or without its `op`:
 * `{"from": "(4,4):(1@0,1@1)", "to": "(4,4):(1@1,1@0)", "element_bytes": 4}`.
 *
 * Precondition:
 *
 * `request` is null, or `length` bytes can be read there.
 */
crd2idx_status crd2idx_plan(const char *request, size_t length, struct crd2idx_text *plan, struct crd2idx_error *error);

/**
 * Writes the answer to a request of `crd2idx batch`: `{"op": "coalesce", "args": ["(2,4):(1,2)"]}` gives `{"ok":"8:1"}`.
 *
 * A refusal is an answer, too, and the call then succeeds. `crd2idx ops` and `crd2idx requests` list the requests: all operations,
 * graphs, plans, sparse and ragged arrays, placements, proofs.
 *
 * Precondition:
 *
 * `request` is null, or `length` bytes can be read there.
 */
crd2idx_status crd2idx_answer(const char *request,
                              size_t length,
                              struct crd2idx_text *reply_text,
                              struct crd2idx_error *error);

/**
 * Writes what the command prints, as JSON. `{"arguments": ["svg", "layout", "(4,8):(8,1)"]}` gives `{"ok": ".."}`, and a refusal
 * `{"error": ".."}`.
 *
 * The text `"input"` of the request is standard input. The command reads and writes the files that its arguments name.
 *
 * Precondition:
 *
 * `request` is null, or `length` bytes can be read there.
 */
crd2idx_status crd2idx_command(const char *request,
                               size_t length,
                               struct crd2idx_text *reply_text,
                               struct crd2idx_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CRD2IDX_H */
