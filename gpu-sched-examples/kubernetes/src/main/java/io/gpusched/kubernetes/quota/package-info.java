/**
 * Queues as objects of a cluster: ours, Volcano's, KAI's and T9k's, read into the library's.
 *
 * <pre>{@code
 * QueueBook book = new QueueBook();
 * book.put(QueueVocabulary.VOLCANO.read(object));
 * QueueTree tree = book.tree();
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.quota;

import org.jspecify.annotations.NullMarked;
