/**
 * Clusters, requests, placements, decisions and states of queues as JSON. Begin at {@link io.gpusched.json.JsonFormat}:
 *
 * <pre>{@code
 * String text = JsonFormat.CLUSTER.write(cluster);
 * Cluster again = JsonFormat.CLUSTER.read(text);
 * Pod pod = JsonFormat.POD.read("""
 *         {"version": 1, "pod": {"id": "trainer", "spec": {"containers": [
 *             {"name": "main", "resources": {"cpuMillis": 4000, "memoryMib": 16384}, "gpu": {"kind": "exclusive", "count": 2}}]}}}
 *         """);
 * }</pre>
 *
 * <p>A document is an object with {@code version}, the value under the name of its format, and tables. Its fields are called after
 * the components of the records that they hold, such as {@code cpuMillis}. Kinds of requests, grants, facts and changes are told by
 * {@code kind}: {@code {"kind": "wholeNode"}}. A pod is written as {@code name} or {@code namespace/name}; a topology as a list of
 * levels and names by turns.
 *
 * <p>Compact: a value that stands for an absent field is not written (empty collections, {@code false}, an ordinary container, one
 * slot, 110 pods). What nodes have in common stands once in the table {@code nodeKinds}, what pods ask in the table {@code specs}, groups in {@code groups},
 * and is named by its number from 0; the object itself may stand in place of the number. The labels of a node are added to those of
 * its kind; UUIDs are left out where they are {@code <node>-gpu-<index>}; resources of a placement where they are what its spec asks.
 *
 * <p>Compatible: a reader ignores fields that it does not know, so a release may add fields. It refuses kinds and constants that it
 * does not know, by name, because to pass over them would change what is meant. Whatever would change the meaning of a document
 * raises the version, and a reader refuses versions other than its own.
 *
 * <p>Whatever is wrong with a document is a {@link io.gpusched.json.JsonFormatException} that names the place, the value and
 * what is legal. Documents may come from strangers: their depth is bounded by 256.
 */
@NullMarked
package io.gpusched.json;

import org.jspecify.annotations.NullMarked;
