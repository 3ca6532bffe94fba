package io.gpusched.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PseudonymsTest {
    private static String renamed(String line) {
        Pseudonyms names = new Pseudonyms();
        names.note(line);
        names.number();
        return names.renamed(line);
    }

    @Test
    void keysOfUsers_areRenamedAlikeWhereverTheyStand() {
        String line = renamed("""
            {"labels":{"acme.com/team":"x","owner":"y"},"terms":[{"key":"acme.com/team","values":["x"]}],
             "term":{"topologyKey":"owner"},"topology":["acme.com/row","r1"],"locality":{"level":"acme.com/row"},
             "resources":{"cpuMillis":1,"named":{"acme.com/fpga":2}}}""");
        assertThat(line).doesNotContain("acme", "team", "owner", "fpga");
        String key = line.replaceAll(".*\"key\":\"([^\"]+)\".*", "$1");
        assertThat(line).contains("{\"labels\":{\"" + key + "\":");
        String level = line.replaceAll(".*\"level\":\"([^\"]+)\".*", "$1");
        assertThat(line).contains("\"topology\":[\"" + level + "\",").contains("\"cpuMillis\":1", ":2}");
    }

    @Test
    void keysOfKubernetesAndOfVendors_stay_butForThoseThatUsersEndThemselves() {
        String line = renamed("""
            {"labels":{"kubernetes.io/hostname":"h","nvidia.com/gpu.product":"p","node-role.kubernetes.io/acme":"","x.y.amd.com/z":"w"},
             "topology":["rack","r1"],"key":"field:metadata.name","topologyKey":"topology.kubernetes.io/zone"}""");
        assertThat(line)
                .contains(
                        "\"kubernetes.io/hostname\":",
                        "\"nvidia.com/gpu.product\":",
                        "\"x.y.amd.com/z\":",
                        "[\"rack\",",
                        "\"field:metadata.name\"",
                        "\"topology.kubernetes.io/zone\"")
                .doesNotContain("acme", "\"r1\"");
    }
}
