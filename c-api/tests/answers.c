/* Answers requests as `crd2idx batch` does: one JSON object a line from standard input, one answer a line. */

#include <crd2idx.h>

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 0) {
    crd2idx_text reply;
    crd2idx_error error;
    if (crd2idx_answer(line, (size_t)length, &reply, &error) != CRD2IDX_STATUS_OK) {
      fprintf(stderr, "%s\n", error.message);
      free(line);
      return 1;
    }
    fwrite(reply.data, 1, reply.length, stdout);
    putchar('\n');
    crd2idx_text_free(&reply);
  }
  free(line);
  return 0;
}
