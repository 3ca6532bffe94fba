/**
 * Room that is made for pods by the eviction of others, and the pods that disruption budgets protect.
 *
 * <pre>{@code
 * Set<Pod> violating = new Disruptions(budgets::of).violating(victims);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.evict;

import org.jspecify.annotations.NullMarked;
