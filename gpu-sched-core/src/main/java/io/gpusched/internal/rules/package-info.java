/**
 * Rules between pods: what pods demand of, and wish for, the pods around them (affinity, anti-affinity, spread, host ports).
 *
 * <p>{@link io.gpusched.internal.rules.RuleIndex} is what a snapshot knows of the rules of all that runs: persistent counts of
 * pods by domain, kept only while some running pod has a rule. {@link io.gpusched.internal.rules.RuleSet} is what that means
 * for one pod at one snapshot: a few conditions on labels of nodes.
 */
@NullMarked
package io.gpusched.internal.rules;

import org.jspecify.annotations.NullMarked;
