/* Makes a layout, computes indices, and prints the index function as CUDA. */

#include <crd2idx.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const char *expression = "zipped_divide((32,16):(1,32), (8,4))";
  crd2idx_error error;
  crd2idx_layout *tiles = NULL;
  if (crd2idx_layout_parse(expression, strlen(expression), &tiles, &error) != CRD2IDX_STATUS_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }

  /* Element (3,2) of tile (1,3): one integer for each leaf of ((8,4),(4,4)). */
  const int64_t coordinate[] = {3, 2, 1, 3};
  int64_t index = 0;
  crd2idx_status status = crd2idx_layout_index(tiles, coordinate, 4, &index, &error);
  crd2idx_text notation = {0}, device = {0}, host = {0};
  if (status == CRD2IDX_STATUS_OK) {
    status = crd2idx_layout_text(tiles, &notation, &error);
  }
  if (status == CRD2IDX_STATUS_OK) {
    printf("%s at ((3,2),(1,3)): %" PRId64 "\n", notation.data, index);
    status = crd2idx_layout_emit(notation.data, notation.length, "cuda", 4, "tile_index", 10, &device, &host, &error);
  }
  if (status == CRD2IDX_STATUS_OK) {
    printf("%s", device.data);
  } else {
    fprintf(stderr, "%s\n", error.message);
  }
  crd2idx_text_free(&host);
  crd2idx_text_free(&device);
  crd2idx_text_free(&notation);
  crd2idx_layout_free(tiles);
  return status == CRD2IDX_STATUS_OK && index == 459 ? 0 : 1;
}
