/**
 * What is written back to the API server, by {@link io.gpusched.kubernetes.write.ApiWriter}: bindings, which are never given up before it
 * is known what became of them, and words about pods and groups, which may be late or left out. The other classes say what is written.
 *
 * <pre>{@code
 * try (ApiWriter writer = new ApiWriter(client, 16, () -> true)) {
 *     EventWriter events = new EventWriter(writer, "gpu-sched", "one");
 *     BindWriter binder = new BindWriter(writer, inbox::add, BindCounts.NONE, events);
 *     decisions.bindings().forEach(binder::write);
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.write;

import org.jspecify.annotations.NullMarked;
