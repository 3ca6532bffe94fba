/**
 * What the API server says, as it says it: informers that turn each object into a change and put it into the inbox of the
 * deciding thread.
 *
 * <pre>{@code
 * Inbox inbox = new Inbox();
 * try (ClusterWatch watch = ClusterWatch.start(client, inbox, QueueVocabulary.NONE)) {
 *     List<Change> changes = inbox.take(1_000);
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
