package io.gpusched.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.model.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of the cookbook that ask the service, one after the other, and compares the page with what they print. */
class ServeCookbookTest {
    private static final Path PAGE = Path.of("../../docs/cookbook.md");
    private static final String UPDATE = "gpusched.docs.update";

    @TempDir
    private Path folder;

    private static String block(String page, String name, String language) {
        Matcher block = Pattern.compile("<!-- serve " + name + " -->\n```" + language + "\n(.*?)```\n", Pattern.DOTALL)
                .matcher(page);
        assertThat(block.find()).as(name).isTrue();
        return block.group(1);
    }

    private String printed(String program, String text, int port) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("program"), text);
        ProcessBuilder process = new ProcessBuilder(program, file.toString()).redirectErrorStream(true);
        process.environment().put("SERVE", "http://127.0.0.1:" + port);
        process.environment().put("TOKEN", "secret");
        process.environment().put("no_proxy", "127.0.0.1");
        Process running = process.start();
        String out = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(running.exitValue()).as(out).isZero();
        return out;
    }

    @Test
    void programsOfThePage_printWhatItSays() throws IOException, InterruptedException {
        String page = Files.readString(PAGE);
        String actual = page;
        try (WebServer server = new Service(Cluster.of(List.of()), changed -> {})
                .on(WebServer.builder("serve"), Optional.of("secret"))
                .start("127.0.0.1", 0)) {
            actual = with(actual, "curl", printed("bash", block(page, "curl", "sh"), server.port()));
            actual = with(actual, "python", printed("python3", block(page, "python", "python"), server.port()));
        }
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(PAGE, actual);
        }
        assertThat(page)
                .as("%s; run with -D%s=true to write what the programs print now", PAGE, UPDATE)
                .isEqualTo(actual);
    }

    private static String with(String page, String name, String printed) {
        return page.replaceFirst(
                "(?s)(<!-- serve " + name + " prints -->\n```\n).*?```\n",
                "$1" + Matcher.quoteReplacement(printed) + "```\n");
    }
}
