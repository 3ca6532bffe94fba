/**
 * Rules between pods: what pods demand of, and prefer about, the pods around them (affinity, anti-affinity, spread, host ports).
 *
 * <p>{@link io.gpusched.internal.rules.RuleCounts} is what a scheduler knows of the rules of all that runs: counts of pods by
 * domain, which follow snapshots and are kept only while some pod with rules is in sight. {@link io.gpusched.internal.rules.RuleSet} is what that means
 * for one pod at one snapshot: a few conditions on labels of nodes.
 */
@NullMarked
package io.gpusched.internal.rules;

import org.jspecify.annotations.NullMarked;
