// Computes plans in the page. hubmarkModel has inputs, chapters, checks and cases; hubmarkSteps a function
// for each step; hubmarkFormulas what these call.
var hubmarkPlan = (function () {
  'use strict';

  // All steps from the values that are known, and the inputs that each rests on; as
  // org.hubmark.bench.plan.Plan does it.
  function compute(model, steps, functions, values, curves, wanted) {
    var v = {}, c = {}, left = {}, inputs = {}, looked = {};

    // A formula that looks at what is known rests on it.
    function show(on, name, value, known) {
      Object.defineProperty(on, name, {
        configurable: true,
        enumerable: true,
        get: function () {
          if (known) { (inputs[name] || [name]).forEach(function (input) { looked[input] = true; }); }
          return value;
        }
      });
    }

    function number(name, value) { show(v, name, value, !isNaN(value)); }

    model.inputs.forEach(function (input) {
      number(input.name, typeof values[input.name] === 'number' ? functions.known(values[input.name]) : NaN);
    });
    Object.keys(curves).forEach(function (name) { show(c, name, curves[name], true); });
    model.chapters.forEach(function (chapter) {
      chapter.steps.forEach(function (step) { number(step.name, NaN); });
      left[chapter.name] = wanted.indexOf(chapter.name) < 0 || chapter.needs.some(function (name) {
        return !(name in curves) && isNaN(v[name]);
      });
      if (!left[chapter.name]) {
        chapter.steps.forEach(function (step) {
          looked = {};
          var value = functions.known(steps[step.name](v, c, functions));
          inputs[step.name] = Object.keys(looked);
          number(step.name, value);
        });
      }
    });
    return { values: v, left: left, inputs: inputs };
  }

  function allows(input, value) {
    return isFinite(value) && (input.above === null || value > input.above)
      && (input.from === null || value >= input.from) && (input.to === null || value <= input.to);
  }

  function text(value) {
    if (isNaN(value)) { return '-'; }
    if (value === Math.round(value)) { return value.toLocaleString('en'); }
    return Math.abs(value) >= 1000 ? value.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
      : String(Number(value.toPrecision(4)));
  }

  return { compute: compute, allows: allows, text: text };
})();
