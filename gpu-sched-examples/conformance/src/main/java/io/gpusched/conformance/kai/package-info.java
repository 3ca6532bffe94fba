/**
 * Runs KAI-Scheduler's cases of partitions, groups and topology: a pass of starts, without queues and evictions.
 */
@NullMarked
package io.gpusched.conformance.kai;

import org.jspecify.annotations.NullMarked;
