// Computes in the page. hubmarkModel has inputs, chapters, checks and cases; hubmarkSteps a function
// for each step; hubmarkChecks two for each check; hubmarkFormulas what these call.
var hubmarkPlan = (function () {
  'use strict';
  // All steps from the values that are known, the inputs that each rests on, and what the checks compare.
  function compute(values, curves) {
    var f = hubmarkFormulas, v = {}, c = {}, inputs = {}, looked = {};
    // A formula that looks at what is known rests on it.
    function show(on, key, value, known) {
      Object.defineProperty(on, key, {
        enumerable: true,
        get: function () {
          if (known) { (inputs[key] || [key]).forEach(function (input) { looked[input] = true; }); }
          return value;
        }
      });
    }
    function number(key, value) { show(v, key, value, !isNaN(value)); }
    Object.keys(values).forEach(function (key) { number(key, f.known(values[key])); });
    hubmarkModel.inputs.forEach(function (input) { if (!(input.key in v)) { number(input.key, NaN); } });
    Object.keys(curves).forEach(function (key) { show(c, key, curves[key], true); });
    Object.keys(hubmarkSteps).forEach(function (key) {
      looked = {};
      var value = f.known(hubmarkSteps[key](v, c, f));
      inputs[key] = Object.keys(looked);
      number(key, value);
    });
    return {
      values: v,
      inputs: inputs,
      checks: hubmarkChecks.map(function (check) { return { has: f.known(check.has(v, c, f)), needs: f.known(check.needs(v, c, f)) }; })
    };
  }
  function allows(input, value) {
    var bounds = input.bounds;
    return isFinite(value) && (bounds.above === null || value > bounds.above)
      && (bounds.from === null || value >= bounds.from) && (bounds.to === null || value <= bounds.to);
  }

  function text(value) {
    if (isNaN(value)) { return '-'; }
    return Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 20 });
  }

  return { compute: compute, allows: allows, text: text };
})();
