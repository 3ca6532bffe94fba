package io.gpusched.cli;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.replay.JobOutcome;
import io.gpusched.replay.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** What is expected of a history, in a file, and whether an outcome keeps it. */
final class HistoryExpectations {
    private static final int MOST_PERCENT = 100;
    private static final double MILLIS = 1_000;
    private static final int DECIMALS = 3;

    /** What XML cannot have. */
    private static final Pattern NO_XML = Pattern.compile("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD]");

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
            int before = all.results.size();
            if (one.has("job")) {
                all.job(
                        one.only("job", "startsWithinMinutes", "evictedPods"),
                        one.at("job").text());
            } else {
                one.only("queue", "p95WaitMinutes", "evictedPods", "keptStartsPercent", "leastGpus");
                all.queue(one, one.has("queue") ? one.at("queue").text() : "");
            }
            if (all.results.size() == before) {
                throw one.error("must have a job with startsWithinMinutes or evictedPods, or one of p95WaitMinutes,"
                        + " evictedPods, leastGpus, keptStartsPercent");
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
        node.at("startsWithinMinutes").optional().ifPresent(most -> {
            for (JobOutcome job : jobs) {
                String wanted = "job " + name + " starts within " + words(amount(most)) + minutes(amount(most));
                results.add(new Result(wanted, late(job, amount(most))));
            }
        });
        evicted(node, "job " + name, jobs);
    }

    private static String minutes(double number) {
        return number == 1 ? " minute" : " minutes";
    }

    /** What is wrong with the start of a job; empty if it is in time. One that waited before the history began counts from then on. */
    private String late(JobOutcome job, double most) {
        if (job.started().isEmpty()) {
            return "it did not start";
        }
        double waited = times.minutes(Math.max(0, job.started().getAsLong() - job.arrived()));
        return waited <= most ? "" : "it waited " + words(waited) + minutes(waited);
    }

    private void evicted(YamlNode node, String subject, List<JobOutcome> jobs) {
        node.at("evictedPods")
                .optional()
                .ifPresent(most -> most(
                        subject + ": pods evicted",
                        jobs.stream().mapToInt(JobOutcome::evictions).sum(),
                        amount(most)));
    }

    private static double amount(YamlNode node) {
        double value = node.decimal();
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw node.error("must be at least 0, got " + value);
        }
        return value;
    }

    private void queue(YamlNode node, String queue) {
        if (!queue.isEmpty()
                && outcome.jobs().stream().noneMatch(job -> job.queue().equals(queue))) {
            throw node.at("queue").error("must be a queue with jobs in the history, got \"" + queue + "\"");
        }
        Predicate<JobOutcome> which = job -> queue.isEmpty() || job.queue().equals(queue);
        String subject = queue.isEmpty() ? "all jobs" : "queue " + queue;
        node.at("p95WaitMinutes").optional().ifPresent(most -> {
            Outcome.Waits waits = outcome.waits(which);
            most(subject + ": 95th percentile of waits in minutes", times.minutes(waits.p95()), amount(most));
        });
        evicted(node, subject, outcome.jobs().stream().filter(which).toList());
        node.at("leastGpus").optional().ifPresent(least -> least(node, queue, amount(least)));
        node.at("keptStartsPercent").optional().ifPresent(least -> {
            double percent = amount(least);
            if (percent > MOST_PERCENT) {
                throw least.error("must be in 0..100, got " + words(percent));
            }
            long promised = outcome.promised(which);
            double kept = promised == 0 ? MOST_PERCENT : MOST_PERCENT * (double) outcome.kept(which) / promised;
            results.add(new Result(
                    subject + ": promised starts kept: at least " + words(percent) + " %",
                    kept >= percent ? "" : "got " + words(kept) + " %"));
        });
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

    /** A number as short as it is, to a thousandth. */
    private static String words(double value) {
        return BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
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
            xml.writeAttribute("errors", "0");
            xml.writeAttribute("skipped", "0");
            for (Result result : results) {
                xml.writeStartElement("testcase");
                xml.writeAttribute("classname", suite);
                xml.writeAttribute("name", NO_XML.matcher(result.name()).replaceAll("?"));
                if (!result.isMet()) {
                    xml.writeStartElement("failure");
                    xml.writeAttribute("type", "expectation");
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
