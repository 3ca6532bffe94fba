package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** How commands fail: one line says what is wrong, and where an option is to blame a second one how it is used. */
class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String arguments) {
        return GpuSched.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        simulate --inflate 99      | gpu-sched simulate: Invalid value for option '--inflate'                 | gpu-sched simulate [OPTIONS]
        simulate --inflate much    | gpu-sched simulate: Invalid value for option '--inflate'    | gpu-sched simulate [OPTIONS]
        simulate --nonsense        | gpu-sched simulate: Unknown option: '--nonsense'            | gpu-sched simulate [OPTIONS]
        simulate --threads 0       | gpu-sched simulate: Invalid value for option '--threads'     | gpu-sched simulate [OPTIONS]
        simulate --policies best   | gpu-sched simulate: --policies: policy must be one of                   | gpu-sched simulate [OPTIONS]
        paper --nonsense           | gpu-sched paper: Unknown option: '--nonsense'               | gpu-sched paper [OPTIONS]
        nonsense                   | gpu-sched: there is no command "nonsense"; there are simulate, place | gpu-sched [OPTIONS] COMMAND
        ''                         | gpu-sched: a command is missing                             | gpu-sched [OPTIONS] COMMAND
        """)
    void aBadOption_isNamed_withOneLineOfUsage(String arguments, String problem, String usage) {
        assertThat(run(arguments)).isEqualTo(Commands.BAD_INPUT);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith(problem)
                .contains("\nusage: " + usage)
                .hasLineCount(2);
    }

    @Test
    void minutesOfASoakOutOfRange_areRefusedByName() {
        assertThat(run("soak --minutes 0")).isEqualTo(Commands.BAD_INPUT);
        assertThat(err.toString()).contains("--minutes must be in 1..100000, got 0");
    }

    @Test
    void everyCommand_isListedByHelp() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("simulate", "place", "paper", "bench", "help");
    }

    @Test
    void helpOfACommand_isItsOwn() {
        assertThat(run("help place")).isZero();
        assertThat(out.toString()).contains("--ignore");
    }

    @Test
    void everyCommand_andEachBelowIt_printsItsHelp() {
        assertThat(assertHelps("")).isGreaterThan(25);
    }

    /** Returns how many commands there are below this one. */
    private static int assertHelps(String words) {
        CommandLine at = GpuSched.commandLine();
        for (String word : words.split(" ")) {
            at = word.isEmpty() ? at : at.getSubcommands().get(word);
        }
        int commands = 0;
        for (String name : at.getSubcommands().keySet()) {
            String command = (words + " " + name).strip();
            StringWriter printed = new StringWriter();
            int code = GpuSched.commandLine()
                    .setOut(new PrintWriter(printed))
                    .setErr(new PrintWriter(printed))
                    .execute((command + " --help").split(" "));
            assertThat(code).as(printed + "").isZero();
            assertThat(printed.toString()).contains("Usage: gpu-sched " + command);
            commands += 1 + assertHelps(command);
        }
        return commands;
    }

    @Test
    void everyDefaultThatHelpNames_isAValue() {
        assertThat(GpuSched.commandLine().getSubcommands()).isNotEmpty();
        assertHelpIsComplete(GpuSched.commandLine());
    }

    private static void assertHelpIsComplete(CommandLine command) {
        assertThat(command.getUsageMessage())
                .as(command.getCommandSpec().qualifiedName())
                .doesNotContain("default: null", "default: )", "${");
        command.getSubcommands().values().forEach(CommandsTest::assertHelpIsComplete);
    }

    @Test
    void theRunsThatTrainTheStart_allDoWhatTheyAreMeantTo() {
        for (List<String> arguments : StartupTraining.commands("../examples")) {
            boolean noRoom = arguments.toString().contains("too-large");
            boolean bad = arguments.contains("--nonsense");
            assertThat(run(String.join(" ", arguments))).as(err + "").isEqualTo(bad ? 2 : noRoom ? 1 : 0);
        }
        assertThat(out.toString()).contains("placed pod", "not placed", "placed group", "placed job", "Usage:");
    }

    @Test
    void theTraining_printsNothing() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            StartupTraining.main("../examples");
        } finally {
            System.setOut(before);
        }
        assertThat(printed.size()).isZero();
    }

    @Test
    void theTrainingOfTheImage_hasKubeBindAPod() throws Exception {
        String run = Files.readAllLines(Path.of("../../deploy/Dockerfile")).stream()
                .filter(line -> line.startsWith("RUN "))
                .findFirst()
                .orElseThrow();
        List<String> words = List.of(new ObjectMapper().readValue(run.substring("RUN ".length()), String[].class));
        int jar = words.indexOf("/opt/gpu-sched/gpu-sched-cli.jar");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"), "-cp", System.getProperty("java.class.path")));
        words.subList(jar + 1, words.size())
                .forEach(word -> command.add(word.replace("/opt/gpu-sched/examples", "../examples")));
        Process training = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(training.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(training.waitFor()).as(said).isZero();
        assertThat(said).contains("pod=default/p node=n gpus=[0] bound").doesNotContain("WARN", "ERROR");
    }
}
