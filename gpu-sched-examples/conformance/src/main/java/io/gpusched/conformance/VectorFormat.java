package io.gpusched.conformance;

import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.List;

/** A format of vector files. */
public interface VectorFormat {
    /** Returns whether a file with this content is of this format. */
    boolean matches(YamlNode root);

    /**
     * Runs a file's cases in their order.
     *
     * @throws InputException if a case cannot be understood
     */
    List<CaseResult> run(YamlNode root);
}
