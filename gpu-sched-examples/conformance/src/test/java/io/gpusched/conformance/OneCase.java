package io.gpusched.conformance;

import io.gpusched.manifests.yaml.YamlReader;

/** Runs one case of a vector file. */
final class OneCase {
    private OneCase() {}

    /** Returns what becomes of a case that a system should match. */
    static Outcome outcome(String system, String kind, String given, String request, String expect) {
        return outcome(system, kind, "match", given, request, expect);
    }

    static Outcome outcome(String system, String kind, String advice, String given, String request, String expect) {
        String file = """
                {"format": "gpu-sharing-vectors/1", "system": "%s", "vectors": [
                 {"id": "one", "kind": "%s", "advice": "%s", "given": %s, "request": %s, "expect": %s}]}
                """.formatted(system, kind, advice, given, request, expect);
        return new SharingFormat(VectorKinds.standard())
                .run(YamlReader.parse("case.json", file).get(0))
                .get(0)
                .outcome();
    }
}
