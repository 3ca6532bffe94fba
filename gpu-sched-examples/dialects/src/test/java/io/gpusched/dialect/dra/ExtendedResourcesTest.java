package io.gpusched.dialect.dra;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.claim.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExtendedResourcesTest {
    private static final String GPU = "example.com/gpu";
    private static final ExtendedResources CLASSES =
            ExtendedResources.of(List.of(new ExtendedResources.OfferedClass("gpu", Optional.of(GPU), 0)));

    private static ExtendedResources.AskingContainer container(String name, boolean isInit, long gpus) {
        return new ExtendedResources.AskingContainer(name, isInit, Map.of("cpu", 1L, GPU, gpus));
    }

    private static List<String> requests(ExtendedResources.Split split) {
        return split.claim().map(Claim::requests).orElse(List.of()).stream()
                .map(one -> one.name() + "=" + one.alternatives().get(0).count())
                .toList();
    }

    @Test
    void anInitContainer_usesTheDevicesOfTheContainersAfterIt_andOneRequestForTheRest() {
        ExtendedResources.Split split =
                CLASSES.split(List.of(container("init", true, 3), container("main", false, 1)), name -> false);
        assertThat(requests(split)).containsExactly("container-0-request-1=2", "container-1-request-1=1");
        assertThat(split.mappings())
                .containsExactly(
                        new ExtendedResources.Mapping("main", GPU, "container-1-request-1"),
                        new ExtendedResources.Mapping("init", GPU, "container-1-request-1"),
                        new ExtendedResources.Mapping("init", GPU, "container-0-request-1"));
    }

    @Test
    void initContainers_shareTheLargestRest() {
        ExtendedResources.Split split = CLASSES.split(
                List.of(container("a", true, 2), container("b", true, 5), container("main", false, 0)), name -> false);
        assertThat(requests(split)).containsExactly("container-1-request-1=5");
    }

    @Test
    void requestsAreOrderedByNameAsText_soThatTheTenthContainerComesBeforeTheThird() {
        List<ExtendedResources.AskingContainer> containers = new ArrayList<>();
        for (int i = 0; i <= 10; i++) {
            containers.add(container("c" + i, false, 1));
        }
        assertThat(requests(CLASSES.split(containers, name -> false)))
                .startsWith("container-0-request-1=1", "container-1-request-1=1", "container-10-request-1=1");
    }

    @Test
    void whatADevicePluginOffers_isLeftToIt_asMuchAsMustBeFreeAtOnce() {
        ExtendedResources.Split split = CLASSES.split(
                List.of(container("side", false, 1), container("init", true, 4), container("main", false, 2)),
                GPU::equals);
        assertThat(split.claim()).isEmpty();
        assertThat(split.plugin()).isEqualTo(Map.of(GPU, 5L));
    }

    @Test
    void theNewestClassOffersAName_andEveryClassIsKnownByItsImplicitOne() {
        ExtendedResources classes = ExtendedResources.of(List.of(
                new ExtendedResources.OfferedClass("old", Optional.of(GPU), 1),
                new ExtendedResources.OfferedClass("new", Optional.of(GPU), 2)));
        assertThat(classes.classOf(GPU)).contains("new");
        assertThat(classes.classOf(ExtendedResources.IMPLICIT + "old")).contains("old");
        assertThat(classes.classOf("cpu")).isEmpty();
    }
}
