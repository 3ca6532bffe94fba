package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a shell completes once it has read the script. */
class CompletionCommandTest {
    @TempDir
    private Path folder;

    private static String script() {
        StringWriter out = new StringWriter();
        assertThat(GpuSched.commandLine().setOut(new PrintWriter(out)).execute("completion"))
                .isZero();
        return out.toString();
    }

    /** What bash offers for a line whose last word is begun. */
    private String offered(String... words) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("completion"), script());
        String line = String.join(" ", words);
        String asked = "compopt() { :; }; source ./completion; COMP_WORDS=(" + line + "); COMP_CWORD="
                + (words.length - 1) + "; COMP_LINE='" + line
                + "'; COMP_POINT=${#COMP_LINE}; _complete_gpu-sched; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "--norc", "-c", asked)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(printed).isZero();
        return printed;
    }

    @Test
    void bash_completesCommandsAndOptions() throws Exception {
        assertThat(offered("gpu-sched", "shr").strip()).isEqualTo("shrink");
        assertThat(offered("gpu-sched", "why", "--kubec").strip()).startsWith("--kubeconfig");
        assertThat(offered("gpu-sched", "map", "--ht").strip()).startsWith("--html");
    }

    @Test
    void zsh_isServedByTheSameScript() {
        assertThat(script()).contains("bashcompinit");
    }
}
