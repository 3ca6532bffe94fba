/**
 * Runs KAI-Scheduler's cases through the scheduling cycle, with the settings that choose as KAI does, and its cases of fair shares.
 */
@NullMarked
package io.gpusched.conformance.kai;

import org.jspecify.annotations.NullMarked;
