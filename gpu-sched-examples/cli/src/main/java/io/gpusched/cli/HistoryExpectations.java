package io.gpusched.cli;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.replay.JobOutcome;
import io.gpusched.replay.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** What is expected of a history, in a file, and whether an outcome keeps it. */
final class HistoryExpectations {
    private static final int MOST_PERCENT = 100;
    private static final double MILLIS = 1_000;

    private final List<Result> results = new ArrayList<>();
    private final Outcome outcome;
    private final HistoryTimes times;

    /**
     * Whether an expectation is met.
     *
     * @param name the expectation in words
     * @param problem what is otherwise; empty if it is met
     */
    record Result(String name, String problem) {
        boolean isMet() {
            return problem.isEmpty();
        }
    }

    private HistoryExpectations(Outcome outcome, HistoryTimes times) {
        this.outcome = outcome;
        this.times = times;
    }

    /**
     * Asks an outcome for all that a file expects.
     *
     * @throws io.gpusched.manifests.yaml.InputException if the file is not as it must be; the message names the line and the field
     */
    static List<Result> results(Path file, Outcome outcome, HistoryTimes times) {
        YamlNode list = YamlReader.read(file).get(0).only("expect").need("expect");
        HistoryExpectations all = new HistoryExpectations(outcome, times);
        for (YamlNode one : list.list()) {
            one.only(
                    "job",
                    "queue",
                    "startsWithinMinutes",
                    "p95WaitMinutes",
                    "evictedPods",
                    "keptStartsPercent",
                    "leastGpus");
            if (one.at("job").isPresent()) {
                all.job(one, one.at("job").text());
            } else {
                all.queue(one, one.at("queue").textOr(""));
            }
        }
        if (all.results.isEmpty()) {
            throw list.error("must hold at least one expectation");
        }
        return all.results;
    }

    private void job(YamlNode node, String name) {
        List<JobOutcome> jobs =
                outcome.jobs().stream().filter(job -> job.name().equals(name)).toList();
        if (jobs.isEmpty()) {
            throw node.at("job").error("must be a job of the history, got \"" + name + "\"");
        }
        double most = node.need("startsWithinMinutes").decimal();
        for (JobOutcome job : jobs) {
            String problem = job.started().isEmpty()
                    ? "it did not start"
                    : times.minutes(job.waited().orElse(0)) <= most
                            ? ""
                            : "it waited " + words(times.minutes(job.waited().orElse(0))) + " minutes";
            results.add(new Result("job " + name + " starts within " + words(most) + " minutes", problem));
        }
    }

    private void queue(YamlNode node, String queue) {
        if (!queue.isEmpty()
                && outcome.jobs().stream().noneMatch(job -> job.queue().equals(queue))) {
            throw node.at("queue").error("must be a queue with jobs in the history, got \"" + queue + "\"");
        }
        List<JobOutcome> jobs = outcome.jobs().stream()
                .filter(job -> queue.isEmpty() || job.queue().equals(queue))
                .toList();
        String subject = queue.isEmpty() ? "all jobs" : "queue " + queue;
        int before = results.size();
        node.at("p95WaitMinutes").optional().ifPresent(most -> {
            Outcome.Waits waits = outcome.waits(jobs::contains);
            most(subject + ": 95th percentile of waits in minutes", times.minutes(waits.p95()), most.decimal());
        });
        node.at("evictedPods")
                .optional()
                .ifPresent(most -> most(
                        subject + ": pods evicted",
                        jobs.stream().mapToInt(JobOutcome::evictions).sum(),
                        most.decimal()));
        node.at("leastGpus").optional().ifPresent(least -> least(node, queue, least.decimal()));
        node.at("keptStartsPercent").optional().ifPresent(least -> {
            double kept = outcome.promised() == 0
                    ? MOST_PERCENT
                    : MOST_PERCENT * (double) outcome.kept() / outcome.promised();
            results.add(new Result(
                    "promised starts kept: at least " + words(least.decimal()) + " %",
                    kept >= least.decimal() ? "" : "got " + words(kept) + " %"));
        });
        if (results.size() == before) {
            throw node.error(
                    "must have a job with startsWithinMinutes, or one of p95WaitMinutes, evictedPods, leastGpus,"
                            + " keptStartsPercent");
        }
    }

    /** A queue that asks for nothing more holds as little as it likes. */
    private void least(YamlNode node, String queue, double gpus) {
        if (queue.isEmpty()) {
            throw node.error("must have a queue with leastGpus");
        }
        double held = outcome.leastGpuMillis().getOrDefault(queue, Long.MAX_VALUE) / MILLIS;
        results.add(new Result(
                "queue " + queue + ": never fewer GPUs while a job waits than " + words(gpus),
                held >= gpus ? "" : "got " + words(held)));
    }

    private void most(String what, double value, double most) {
        results.add(new Result(what + ": at most " + words(most), value <= most ? "" : "got " + words(value)));
    }

    private static String words(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /**
     * Writes results as JUnit does, for build servers.
     *
     * @throws IOException if the file cannot be written
     */
    static void writeJUnit(Path file, String suite, List<Result> results) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out, "UTF-8");
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", suite);
            xml.writeAttribute("tests", String.valueOf(results.size()));
            xml.writeAttribute(
                    "failures",
                    String.valueOf(
                            results.stream().filter(each -> !each.isMet()).count()));
            for (Result result : results) {
                xml.writeStartElement("testcase");
                xml.writeAttribute("classname", suite);
                xml.writeAttribute("name", result.name());
                if (!result.isMet()) {
                    xml.writeStartElement("failure");
                    xml.writeAttribute("message", result.problem());
                    xml.writeEndElement();
                }
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
