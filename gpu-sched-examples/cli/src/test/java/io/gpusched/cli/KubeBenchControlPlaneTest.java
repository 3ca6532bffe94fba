package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.controlplane.ControlPlane;
import io.gpusched.kubebench.KubeBenchCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A small run of the whole command on a real API server. */
class KubeBenchControlPlaneTest {
    @Test
    void bothSchedulers_bindEveryPodOfEveryShape_inOneWriteEach() {
        Assumptions.assumeTrue(
                ControlPlane.programs().isPresent(),
                "no API server: gpu-sched-examples/control-plane/build makes one; .ci/run sets where it is");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = new CommandLine(new KubeBenchCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        int code = line.execute(
                "--nodes", "30", "--rack", "10", "--shape", "pods:60,gangs:10x3,racks:5x4", "--patience", "120");
        assertThat(code).as("%s%n%s", out, err).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).anyMatch(one -> one.startsWith("| pods:60 | kube-scheduler | 60 of 60 |"));
        assertThat(lines).anyMatch(one -> one.startsWith("| racks:5x4 | gpu-sched | 20 of 20 |"));
        assertThat(lines).anyMatch(one -> one.startsWith("gangs:10x3: gpu-sched binds "));
        assertThat(lines)
                .anyMatch(one -> one.startsWith("gangs:10x3 gpu-sched: ") && one.contains("30 POST pods/binding"));
        assertThat(lines)
                .filteredOn(one -> one.contains("| gpu-sched |"))
                .allMatch(one -> one.split("\\|")[9].strip().equals("0"), "no conflicts");
    }

    @Test
    void withoutPrograms_theCommandSaysWhereTheyComeFrom() {
        Assumptions.assumeTrue(ControlPlane.programs().isEmpty());
        StringWriter err = new StringWriter();
        int code = new CommandLine(new KubeBenchCommand())
                .setErr(new PrintWriter(err))
                .execute();
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("gpu-sched-examples/control-plane/build");
    }
}
