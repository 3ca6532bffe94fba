/**
 * What is written back to the API server, by threads of its own: bindings, which are never given up before it is known what
 * became of them, and words about pods and groups, which may be late or left out.
 *
 * <pre>{@code
 * try (BindWriter binder = new BindWriter(client, 16, 1_000, () -> true, inbox::add, BindCounts.NONE, events)) {
 *     decisions.bindings().forEach(binder::write);
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.write;

import org.jspecify.annotations.NullMarked;
