package io.gpusched.examples.place;

import io.gpusched.dialect.Dialect;
import java.util.Set;

/**
 * A dialect of the command line.
 *
 * @param dialect the dialect
 * @param resources what pods may ask of it, by resource name
 */
record NamedDialect(Dialect dialect, Set<String> resources) {}
