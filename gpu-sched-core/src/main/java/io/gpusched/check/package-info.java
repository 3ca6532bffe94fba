/**
 * Checks of arguments with the wording of this library, for its own modules and for extensions of it; they know no type of the field.
 *
 * <p>Begin at {@link io.gpusched.check.Checks}:
 *
 * <pre>{@code
 * String name = Checks.notBlank("node", "name", "n1");
 * int gpus = Checks.inRange("node \"n1\"", "gpus", 8, 0, 64);
 * List<String> copy = Checks.list("labels", List.of("a", "b"));
 * Map<String, String> sorted = Checks.ascending("map", Map.of("pool", "a100"));
 * String resource = ResourceNames.require("example.com/nic");
 * }</pre>
 */
@NullMarked
package io.gpusched.check;

import org.jspecify.annotations.NullMarked;
