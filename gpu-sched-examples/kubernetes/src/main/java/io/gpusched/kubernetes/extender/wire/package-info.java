/**
 * The messages between kube-scheduler and an extender ({@code k8s.io/kube-scheduler/extender/v1}). Requests are read as Go
 * reads them: names in any letter case, null as if it were missing, unknown members passed over. Answers have the names of the Go
 * fields.
 *
 * <pre>{@code
 * FilterArguments arguments = FilterArguments.read(json);
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.extender.wire;

import org.jspecify.annotations.NullMarked;
