/**
 * YAML with places: every value knows its file, line and field, so that an error can say where it is. JSON, being
 * YAML, is read as well.
 *
 * <p>{@link io.gpusched.manifests.yaml.YamlReader} reads, {@link io.gpusched.manifests.yaml.YamlNode} is asked:
 *
 * <pre>{@code
 * YamlNode file = YamlReader.parse("cluster.yaml", "nodes: [{name: n1, gpus: 4}]").get(0);
 * for (YamlNode node : file.need("nodes").list()) {
 *     node.only("name", "gpus");
 *     long gpus = node.at("gpus").numberOr(0);
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.yaml;

import org.jspecify.annotations.NullMarked;
