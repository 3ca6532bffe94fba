/**
 * Which nodes a pod may go to by their labels, taints and free resources. {@link SelectionMemory} is the entry; what a search asks
 * for capacity is answered by {@link AdmittedNodes}.
 */
@NullMarked
package io.gpusched.internal.select;

import org.jspecify.annotations.NullMarked;
