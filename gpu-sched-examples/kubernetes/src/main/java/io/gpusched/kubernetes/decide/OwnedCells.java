package io.gpusched.kubernetes.decide;

import io.gpusched.decision.Plan;
import io.gpusched.kubernetes.quota.QueueBook;
import io.gpusched.kubernetes.quota.QueueSpec;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.model.Gpu;
import io.gpusched.model.Placement;
import io.gpusched.workload.Job;
import io.gpusched.workload.Shape;
import io.gpusched.workload.ShapeCell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * In which cells of their queues jobs run, from one cycle to the next, and what queues have of their shapes. The first cycle of a scheduler
 * that starts goes by the cells that are written on pods which run in them. A cycle finds cells for jobs of which nothing is known, where
 * they run, and passes over cells that their queue does not own. Not thread-safe.
 */
final class OwnedCells {
    private final ClusterBook book;
    private final PodTable pods;
    private final JobBook jobs;
    private final QueueBook queues;
    private final Map<String, List<ShapeCell>> byJob = new HashMap<>();
    private List<QueueCells> found = List.of();
    private boolean isFirst = true;
    private boolean isBinding;

    OwnedCells(ClusterBook book, PodTable pods, JobBook jobs, QueueBook queues) {
        this.book = book;
        this.pods = pods;
        this.jobs = jobs;
        this.queues = queues;
    }

    /**
     * Before jobs are looked at: the levels that shapes name become levels of the cluster, if they nest with the others, and no cells are
     * on nodes that are not to be used.
     */
    void prepare() {
        isBinding = pods.bindingCount() > 0;
        List<QueueSpec> owners = queues.owners();
        book.closeUnusable(!owners.isEmpty());
        for (QueueSpec owner : owners) {
            owner.shapes().stream().filter(OwnedCells::isDomain).forEach(shape -> book.viewOf(shape.level()));
        }
    }

    private static boolean isDomain(Shape shape) {
        return !shape.level().equals(Shape.NODE) && !shape.level().equals(Shape.GPU);
    }

    /** Returns a job with the cells in which it runs, as far as they are known. */
    Job with(Job job) {
        List<ShapeCell> cells = isFirst ? written(job) : byJob.getOrDefault(job.name(), List.of());
        return cells.isEmpty() ? job : job.toBuilder().cells(cells).build();
    }

    private List<ShapeCell> written(Job job) {
        List<ShapeCell> cells = new ArrayList<>();
        for (Placement place : job.running()) {
            JobPod pod = jobs.get(place.pod());
            if (pod != null) {
                pod.terms().ifPresent(terms -> cells.addAll(around(place, terms.cells())));
            }
        }
        return cells.stream().distinct().toList();
    }

    /** Takes over in which cells jobs run once a plan is carried out, and what queues do not have. */
    void remember(Plan plan) {
        isFirst = false;
        byJob.clear();
        plan.after().jobs().stream()
                .filter(job -> !job.cells().isEmpty())
                .forEach(job -> byJob.put(job.name(), job.cells()));
        if (!isBinding) { // who is being bound cannot be evicted yet, so that cells seem to be missing
            found = found(plan);
        }
    }

    /** Returns those of the cells of a job that are around one of its pods. */
    List<ShapeCell> around(Placement place, String job) {
        return around(place, byJob.getOrDefault(job, List.of()));
    }

    private List<ShapeCell> around(Placement place, List<ShapeCell> cells) {
        return cells.stream().filter(cell -> isAround(cell, place)).toList();
    }

    private boolean isAround(ShapeCell cell, Placement place) {
        return switch (cell.level()) {
            case Shape.NODE -> cell.name().equals(place.node());
            case Shape.GPU -> cell.name().startsWith(place.node() + "[");
            default ->
                book.cluster()
                        .node(place.node())
                        .map(node -> node.node().topology().upTo(cell.level()))
                        .filter(domain -> domain.toString().equals(cell.name()))
                        .isPresent();
        };
    }

    /** Returns what queues have that own cells, as of the last plan that was made while nobody was being bound. */
    List<QueueCells> found() {
        return found;
    }

    private List<QueueCells> found(Plan plan) {
        List<QueueSpec> owners = queues.owners();
        Set<String> models = owners.isEmpty() ? Set.of() : models();
        return owners.stream()
                .map(owner -> new QueueCells(
                        owner.name(),
                        unhonoured(owner.shapes(), models),
                        plan.reduced().stream()
                                .filter(less -> less.queue().equals(owner.name()))
                                .toList()))
                .toList();
    }

    private Set<String> models() {
        return book.cluster().nodes().stream()
                .flatMap(node -> node.node().gpus().stream())
                .map(Gpu::model)
                .distinct()
                .map(model -> model.name())
                .collect(Collectors.toSet());
    }

    private List<String> unhonoured(List<Shape> shapes, Set<String> models) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < shapes.size(); i++) {
            Shape shape = shapes.get(i);
            String field = "spec.shapes[" + i + "]";
            if (isDomain(shape) && !book.isLabelled(shape.level())) {
                words.add(field + ".level: no node has label \"" + shape.level() + "\"");
            } else if (isDomain(shape) && !book.viewOf(shape.level()).isEmpty()) {
                words.add(field + ".level: \"" + shape.level() + "\" does not nest with the other levels");
            }
            if (!models.contains(shape.model())) {
                words.add(field + ".model: no node has GPUs of model \"" + shape.model() + "\"");
            }
        }
        return words;
    }
}
