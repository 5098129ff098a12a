// The conformance kit (spec/conformance.md) through the C interface alone:
//
//   conform_c script FILE [--files DIR]
//   conform_c vectors DIR                  says that it is not offered: C has no JSON
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

static const char* script_name;
static unsigned line_number;

void die(const char* format, ...) {
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "conform_c: %s:%u: ", script_name, line_number);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(2);
}

static const struct {
  const char* name;
  verb* run;
} verbs[] = {
    {"hash", do_hash},
    {"check", do_check},
    {"size", do_size},
    {"promise", do_promise},
    {"make", do_make},
    {"insert", do_insert},
    {"insert-batch", do_insert_batch},
    {"query", do_query},
    {"query-batch", do_query_batch},
    {"count", do_count},
    {"info", do_info},
    {"source", do_source},
    {"rate", do_rate},
    {"expect", do_expect},
    {"merge", do_merge},
    {"fold", do_fold},
    {"clear", do_clear},
    {"equal", do_equal},
    {"encode", do_encode},
    {"bytes", do_bytes},
    {"show", do_show},
    {"flip", do_flip},
    {"put", do_put},
    {"cut", do_cut},
    {"add", do_add},
    {"decode", do_decode},
    {"inspect", do_inspect},
    {"write", do_write},
    {"read", do_read},
};

static void run_line(char* text) {
  struct line line = parse_line(text);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
    if (strcmp(word_at(&line, 0), verbs[i].name) != 0) continue;
    printf("%u ", line_number);
    verbs[i].run(&line);
    putchar('\n');
    free_line(&line);
    return;
  }
  die("no such verb: %s", word_at(&line, 0));
}

// The next line of any length without its end; NULL after the last.  Freed by the caller.
static char* read_line(FILE* from) {
  size_t room = 256, size = 0;
  char* text = malloc(room);
  int c = EOF;
  while (text != NULL && (c = fgetc(from)) != EOF && c != '\n') {
    text[size++] = (char)c;
    if (size == room) text = realloc(text, room *= 2);
  }
  if (text == NULL) die("out of memory");
  text[size] = '\0';
  if (c != EOF || size != 0) return text;
  free(text);
  return NULL;
}

static int run_script(void) {
  FILE* script = fopen(script_name, "r");
  if (script == NULL) {
    fprintf(stderr, "conform_c: cannot read %s\n", script_name);
    return 2;
  }
  for (char* text; (text = read_line(script)) != NULL; free(text)) {
    ++line_number;
    if (*text != '\0' && *text != '#') run_line(text);
  }
  fclose(script);
  forget_all();
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "vectors") == 0) {
    puts("conform_c: vectors are not offered");
    return 2;
  }
  if (argc >= 3 && strcmp(argv[1], "script") == 0) {
    const bool has_folder = argc == 5 && strcmp(argv[3], "--files") == 0;
    script_name = argv[2];
    if (has_folder) files_folder = argv[4];
    if (argc == 3 || has_folder) return run_script();
  }
  fprintf(stderr,
          "usage: conform_c script FILE [--files DIR]\n"
          "       conform_c vectors DIR\n");
  return 2;
}
