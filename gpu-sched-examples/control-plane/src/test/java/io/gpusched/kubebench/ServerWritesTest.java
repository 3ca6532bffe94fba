package io.gpusched.kubebench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerWritesTest {
    private static String line(String verb, String resource, String subresource, String code, long count) {
        return "apiserver_request_total{code=\"" + code
                + "\",component=\"apiserver\",dry_run=\"\",group=\"\",resource=\""
                + resource + "\",scope=\"resource\",subresource=\"" + subresource + "\",verb=\"" + verb
                + "\",version=\"v1\"} " + count + "\n";
    }

    @Test
    void writesOfASchedulerAreCounted_andNothingElse() {
        String before = line("POST", "pods", "binding", "201", 5) + line("POST", "pods", "", "201", 7);
        String after = "# HELP apiserver_request_total x\n"
                + line("POST", "pods", "binding", "201", 8)
                + line("POST", "pods", "binding", "409", 2)
                + line("POST", "pods", "", "201", 90)
                + line("PATCH", "pods", "status", "200", 1)
                + line("PUT", "leases", "", "200", 50)
                + line("LIST", "pods", "", "200", 50)
                + "apiserver_request_total_of_another{verb=\"POST\"} 4\n";
        ServerWrites writes = ServerWrites.parse(after).since(ServerWrites.parse(before));
        assertThat(writes.all())
                .containsOnly(
                        java.util.Map.entry("POST pods/binding", 5L), java.util.Map.entry("PATCH pods/status", 1L));
        assertThat(writes.conflicts()).isEqualTo(2);
        assertThat(writes.total()).isEqualTo(6);
    }

    @Test
    void largeCounts_areReadInTheFormOfTheServer() {
        String line = line("POST", "events", "", "201", 0).replace("} 0", "} 1.234567e+06");
        assertThat(ServerWrites.parse(line).all()).containsEntry("POST events", 1_234_567L);
    }
}
