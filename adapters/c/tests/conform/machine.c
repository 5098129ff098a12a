#include "machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { max_variables = 256, longest_name = 32 };

static struct {
  char name[longest_name];
  struct value value;
} variables[max_variables];
static size_t variable_count;

const char* files_folder = ".";

struct value* variable(const char* name) {
  for (size_t i = 0; i < variable_count; ++i)
    if (strcmp(variables[i].name, name) == 0) return &variables[i].value;
  if (variable_count == max_variables || strlen(name) >= longest_name)
    die("too many variables, or too long a name: %s", name);
  strcpy(variables[variable_count].name, name);
  return &variables[variable_count++].value;
}

struct bytes* bytes_named(const char* name) {
  struct value* value = variable(name);
  if (value->kind != VALUE_BYTES) die("no bytes: %s", name);
  return &value->bytes;
}

bloomery_filter* filter_named(const char* name) {
  const struct value* value = variable(name);
  if (value->kind != VALUE_FILTER) die("no filter of our own: %s", name);
  return value->filter;
}

static void forget(struct value* value) {
  free(value->bytes.data);
  bloomery_filter_free(value->filter);
  bloomery_foreign_free(value->foreign);
  bloomery_packed_free(value->packed);
  memset(value, 0, sizeof *value);
}

void keep_bytes(const char* name, struct bytes bytes) {
  struct value* value = variable(name);
  forget(value);
  value->kind = VALUE_BYTES;
  value->bytes = bytes;
}

void keep_filter(const char* name, bloomery_filter* filter) {
  struct value* value = variable(name);
  forget(value);
  value->kind = VALUE_FILTER;
  value->filter = filter;
}

void keep_foreign(const char* name, bloomery_foreign* foreign) {
  struct value* value = variable(name);
  forget(value);
  value->kind = VALUE_FOREIGN;
  value->foreign = foreign;
}

void keep_packed(const char* name, bloomery_packed* packed) {
  struct value* value = variable(name);
  forget(value);
  value->kind = VALUE_PACKED;
  value->packed = packed;
}

void forget_all(void) {
  for (size_t i = 0; i < variable_count; ++i) forget(&variables[i].value);
}

void say_error(bloomery_status status) {
  printf("error %s", bloomery_status_name((int)status));
}

void say_error_at(const bloomery_error* error) {
  say_error((bloomery_status)error->code);
  printf(" at=%llu", (unsigned long long)error->at);
}

void say_real(double real) {
  if (isinf(real))
    printf("inf");
  else
    printf("%.3e", real);
}
