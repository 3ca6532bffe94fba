package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A format of vector files. */
public interface VectorFormat {
    /** Returns whether a file with this content is of this format. */
    boolean matches(JsonNode root);

    /**
     * Runs a file's cases in their order.
     *
     * @throws MalformedVectorException if a case cannot be understood
     */
    List<CaseResult> run(String file, JsonNode root);
}
