/* The four programs written by hand in C. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);

enum { WIDTH = 32 };

struct blur {
  uint8_t lines[3][40];
  uint32_t next, filled;
};

static const uint8_t weights[3] = {1, 2, 1};

bool blur_c(struct blur *state, const uint8_t line[WIDTH], uint8_t out[WIDTH]) {
  memcpy(state->lines[state->next], line, WIDTH);
  state->next = state->next == 2 ? 0 : state->next + 1;
  if (state->filled < 2) {
    state->filled++;
    return false;
  }
  memset(out, 0, WIDTH);
  const size_t next = state->next;
  for (size_t x = 1; x < WIDTH - 1; x++) {
    uint32_t sum = 8;
    for (size_t age = 0; age < 3; age++) {
      size_t row = next + age;
      if (row >= 3)
        row -= 3;
      const uint8_t *pixel = &state->lines[row][x];
      sum += weights[age] * (pixel[-1] + 2u * pixel[0] + pixel[1]);
    }
    out[x] = sum >> 4;
  }
  return true;
}

#define FULL(level) ((level) * (level) * 255 / 225)
#define GREEN(level) ((level) * (level) * 200 / 225)
#define LEVEL(level) {FULL(level), GREEN(level), FULL(level)}
const uint8_t gamma_c[16][3] = {LEVEL(0), LEVEL(1), LEVEL(2),  LEVEL(3),  LEVEL(4),  LEVEL(5),  LEVEL(6),  LEVEL(7),
                                LEVEL(8), LEVEL(9), LEVEL(10), LEVEL(11), LEVEL(12), LEVEL(13), LEVEL(14), LEVEL(15)};

void panel_c(const uint8_t picture[16][16][3], uint8_t wire[768]) {
  for (size_t module = 0; module < 4; module++)
    for (size_t row = 0; row < 8; row++)
      for (size_t column = 0; column < 8; column++)
        for (size_t color = 0; color < 3; color++)
          *wire++ = gamma_c[picture[module / 2 * 8 + row][module % 2 * 8 + column][color] >> 4][color];
}

void dma_start(const void *source, void *target, size_t bytes);
void dma_wait(void);

void halves_c(const uint8_t picture[6][128], uint8_t buffers[2][4][32], uint8_t half[6][2][16]) {
  dma_start(picture[0], buffers[0], 128);
  for (size_t t = 0; t < 6; t++) {
    dma_wait();
    if (t < 5)
      dma_start(picture[t + 1], buffers[(t + 1) % 2], 128);
    for (size_t y = 0; y < 2; y++)
      for (size_t x = 0; x < 16; x++) {
        const uint8_t *block = &buffers[t % 2][2 * y][2 * x];
        half[t][y][x] = (block[0] + block[1] + block[32] + block[33]) / 4u;
      }
  }
}

struct touch {
  uint32_t row, column, strength;
};

bool touch_c(const uint16_t *samples, size_t count, size_t rows, size_t stride, uint32_t noise, struct touch *touch) {
  if (rows > 0 && (uint64_t)(rows - 1) * stride + 12 > count)
    return false;
  uint32_t row_sum = 0, column_sum = 0, strength = 0;
  for (size_t row = 0; row < rows; row++, samples += stride)
    for (size_t column = 0; column < 12; column++) {
      uint32_t signal = samples[column] > noise ? samples[column] - noise : 0;
      strength += signal;
      row_sum += signal * row;
      column_sum += signal * column;
    }
  if (strength > 0) {
    row_sum = row_sum * 256 / strength;
    column_sum = column_sum * 256 / strength;
  }
  *touch = (struct touch){row_sum, column_sum, strength};
  return true;
}
