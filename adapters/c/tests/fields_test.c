// Options and fields by name, over all kinds.
#include <math.h>

#include "check.h"

static bloomery_filter* built(const bloomery_options* options) {
  bloomery_builder* builder = NULL;
  bloomery_filter* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  char text[32];
  CHECK_OK(bloomery_builder_make(options, &builder, &error));
  if (builder == NULL) return NULL;
  for (unsigned i = 0; i < 500; ++i)
    CHECK_OK(bloomery_builder_add(builder, text, key_text(text, i)));
  CHECK_OK(bloomery_builder_finish(builder, 1, &filter, &error));
  bloomery_builder_free(builder);
  return filter;
}

static bloomery_field field_of(const bloomery_filter* filter, const char* name) {
  bloomery_field field = BLOOMERY_FIELD_INIT;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  CHECK_OK(bloomery_filter_field(filter, name, &field, &error));
  return field;
}

// Options by name, those that the struct has no field for among them.
static void test_options_by_name(void) {
  static const struct {
    uint32_t kind;
    const char *option, *value, *field, *text;
    uint64_t count;
  } all[] = {
      {BLOOMERY_KIND_FUSE, "arity", "4", "fingerprint_bits", NULL, 7},
      {BLOOMERY_KIND_RIBBON, "ribbon_width", "128", "ribbon_width", NULL, 128},
      {BLOOMERY_KIND_COUNTING, "cell_bits", "8", "cell_bits", NULL, 8},
      {BLOOMERY_KIND_COUNTING, "layout", "flat", "layout", "flat", 0},
      {BLOOMERY_KIND_BLOCK, "profile", "half-line", "profile", "half-line", 0},
      {BLOOMERY_KIND_WINDOW, "generations", "8", "generations", NULL, 8},
      {BLOOMERY_KIND_CUCKOO, "identity", "18446744073709551615", "identity", NULL,
       UINT64_MAX},
      {BLOOMERY_KIND_SCALABLE, "growth", "4", "growth", NULL, 4},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    bloomery_options options = BLOOMERY_OPTIONS_INIT;
    options.kind = all[i].kind;
    options.keys = 500;
    options.fpr = 0.01;
    CHECK_OK(bloomery_options_set(&options, all[i].option, all[i].value, NULL));
    bloomery_filter* filter = built(&options);
    if (filter == NULL) continue;
    const bloomery_field field = field_of(filter, all[i].field);
    if (all[i].text != NULL)
      CHECK(field.type == BLOOMERY_FIELD_TEXT && strcmp(field.text, all[i].text) == 0);
    else
      CHECK(field.type == BLOOMERY_FIELD_COUNT && field.count == all[i].count);
    bloomery_filter_free(filter);
  }
}

static void test_refused_options(void) {
  bloomery_options options = BLOOMERY_OPTIONS_INIT;
  const bloomery_options before = options;
  bloomery_filter* filter = NULL;
  bloomery_error error = BLOOMERY_ERROR_INIT;
  CHECK_INVALID(bloomery_options_set(&options, "no_such_option", "1", &error));
  CHECK_INVALID(bloomery_options_set(&options, "arity", "four", &error));
  CHECK(strstr(error.message, "arity takes 3 or 4") != NULL);
  CHECK_INVALID(bloomery_options_set(&options, "arity", "", &error));
  CHECK_INVALID(bloomery_options_set(&options, "foldable", "yes", &error));
  CHECK_INVALID(bloomery_options_set(&options, NULL, "1", &error));
  CHECK_INVALID(bloomery_options_set(&options, "arity", NULL, &error));
  CHECK_INVALID(bloomery_options_set(NULL, "arity", "3", &error));
  CHECK(memcmp(&options, &before, sizeof options) == 0);

  options.keys = 100;
  options.fpr = 0.01;
  CHECK_OK(bloomery_options_set(&options, "generations", "8", &error));
  CHECK_STATUS(bloomery_filter_make(&options, &filter, &error), BLOOMERY_UNSUPPORTED);
  CHECK(strstr(error.message, "only the kind window has the option generations") != NULL);
  options.kind = BLOOMERY_KIND_WINDOW;
  CHECK_OK(bloomery_filter_make(&options, &filter, &error));
  bloomery_filter_free(filter);
  CHECK_OK(bloomery_options_set(&options, "generations", "1025", &error));
  CHECK_INVALID(bloomery_filter_make(&options, &filter, &error));
  CHECK_OK(bloomery_options_set(&options, "generations", "0", &error));  // the preset
  CHECK_OK(bloomery_filter_make(&options, &filter, &error));
  CHECK(field_of(filter, "generations").count == 4);
  bloomery_filter_free(filter);
  // A setting that nobody wrote by the call.
  options.settings[0].option = 999;
  CHECK_INVALID(bloomery_filter_make(&options, &filter, &error));
}

struct seen {
  uint64_t fields, tables;
  const bloomery_filter* filter;
};

static void see(void* context, const bloomery_field* field) {
  struct seen* seen = context;
  if (field->column != NULL) {
    ++seen->tables;
    return;
  }
  ++seen->fields;
  const bloomery_field one = field_of(seen->filter, field->name);
  CHECK(one.type == field->type && one.count == field->count);
  CHECK(one.real == field->real || (isnan(one.real) && isnan(field->real)));
  CHECK((one.text == NULL) == (field->text == NULL));
  CHECK(*field->help != '\0');
}

void test_fields(void) {
  test_options_by_name();
  test_refused_options();
  for (size_t i = 0; i < bloomery_kind_count(); ++i) {
    const uint32_t kind = bloomery_kind_at(i);
    bloomery_options options = BLOOMERY_OPTIONS_INIT;
    bloomery_option option = BLOOMERY_OPTION_INIT;
    bloomery_field field = BLOOMERY_FIELD_INIT;
    bloomery_info info = BLOOMERY_INFO_INIT;
    bloomery_error error = BLOOMERY_ERROR_INIT;
    options.kind = kind;
    options.keys = 500;
    options.fpr = 0.01;
    // Every option of the kind, by its first choice.
    for (size_t n = 0; bloomery_kind_option(kind, n, &option) == BLOOMERY_OK; ++n) {
      CHECK(*option.name != '\0' && *option.help != '\0');
      const char* choice = bloomery_kind_option_choice(kind, n, 0);
      CHECK((choice != NULL) == (option.choices != 0));
      if (choice != NULL)
        CHECK_OK(bloomery_options_set(&options, option.name, choice, NULL));
    }
    bloomery_filter* filter = built(&options);
    if (filter == NULL) continue;
    struct seen seen = {0, 0, filter};
    CHECK_OK(bloomery_filter_fields(filter, BLOOMERY_INFO_ALL, see, &seen));
    uint64_t plain = 0, columns = 0;
    for (size_t n = 0; bloomery_kind_field(kind, n, &field) == BLOOMERY_OK; ++n)
      field.column != NULL ? ++columns : ++plain;
    CHECK(seen.fields == plain && (seen.tables == 0) == (columns == 0));
    // The struct says the same.
    CHECK_OK(bloomery_filter_info(filter, BLOOMERY_INFO_ALL, &info));
    CHECK(field_of(filter, "bytes").count == info.size_in_bytes);
    CHECK(field_of(filter, "bits").count == info.bits);
    CHECK(field_of(filter, "ones").count == info.ones);
    CHECK(field_of(filter, "realised_fpr").real == info.realised_fpr);
    CHECK_STATUS(bloomery_filter_field(filter, "no_such_field", &field, &error),
                 BLOOMERY_UNSUPPORTED);
    CHECK_INVALID(bloomery_filter_field(NULL, "bits", &field, &error));
    CHECK_INVALID(bloomery_filter_fields(filter, BLOOMERY_INFO_ALL, NULL, NULL));
    CHECK_STATUS(bloomery_filter_fields(filter, 64, see, &seen), BLOOMERY_UNSUPPORTED);

    // A view of its file has the same fields; for the layout no chunk is checked.
    CHECK_OK(bloomery_filter_save(filter, BLOOMERY_FORM_CONTAINER, NULL,
                                  file_named("fields.bloom"), NULL));
    bloomery_view* view = NULL;
    CHECK_OK(bloomery_view_open(file_named("fields.bloom"), NULL, &view, NULL));
    seen = (struct seen){0, 0, filter};
    CHECK_OK(bloomery_view_fields(view, BLOOMERY_INFO_LAYOUT, see, &seen));
    CHECK(seen.fields > 5 && seen.fields < plain);
    CHECK_OK(bloomery_view_field(view, "realised_fpr", &field, NULL));
    CHECK(field.real == info.realised_fpr);
    bloomery_view_free(view);
    bloomery_filter_free(filter);
  }
}
