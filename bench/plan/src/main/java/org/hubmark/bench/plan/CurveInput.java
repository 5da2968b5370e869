package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Values;
import org.hubmark.bench.plan.StepFormula.Function;

import java.util.List;

/** Points that were measured; in the place of a number it is how many there are. */
record CurveInput(String key, String label) implements Formula.Own {
    private static final Curve NO_POINTS = new Curve(List.of());

    /** {@return the most along it that is not above a limit} */
    Formula mostWithin(Formula limit) {
        return new StepFormula(Function.MOST_WITHIN, List.of(this, limit));
    }

    /** {@return what a plan keeps it under} */
    Name name() {
        return Name.note(key, "");
    }

    /** {@return the curve in a plan; one without points where it isn't known} */
    Curve of(Values values) {
        Curve known = values.name(name(), Curve.class);
        return known == null ? NO_POINTS : known;
    }

    @Override
    public String words(List<String> parts) {
        return label;
    }

    @Override
    public double value(Values values) {
        int points = of(values).points().size();
        return points == 0 ? Double.NaN : points;
    }
}
