// BLOOMERY_EXPORT marks what the shared library shows; everything else stays hidden.
#pragma once

#define BLOOMERY_EXPORT __attribute__((visibility("default")))
