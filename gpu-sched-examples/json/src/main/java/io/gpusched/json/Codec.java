package io.gpusched.json;

import com.fasterxml.jackson.databind.JsonNode;

/** How values of one type are written and read. */
interface Codec<T> {
    JsonNode write(T value, Tables tables);

    T read(Place place, Tables tables);
}
