// What formulas call, as org.hubmark.bench.kit.document.Formula has it; a test holds both against each
// other. What isn't known is NaN.
var hubmarkFormulas = (function () {
  'use strict';
  var near = 1e-9;

  function known(value) { return isFinite(value) ? value : NaN; }

  function outermost(values, sign) {
    var found = NaN;
    values.forEach(function (one) {
      var value = one();
      if (!isNaN(value) && (isNaN(found) || sign * value > sign * found)) { found = value; }
    });
    return found;
  }

  function all(values) { return Array.prototype.slice.call(values); }

  return {
    known: known,
    is_known: function (value) { return isNaN(value) ? 0 : 1; },
    count: function (curve) { return curve && curve.length > 0 ? curve.length : NaN; },
    over: function (left, right) { return right === 0 ? NaN : left / right; },
    first: function () {
      for (var i = 0; i < arguments.length; i++) {
        var value = arguments[i]();
        if (!isNaN(value)) { return value; }
      }
      return NaN;
    },
    least: function () { return outermost(all(arguments), -1); },
    greatest: function () { return outermost(all(arguments), 1); },
    down: function (value) { return Math.floor(value + near * Math.max(1, Math.abs(value))); },
    up: function (value) { return Math.ceil(value - near * Math.max(1, Math.abs(value))); },
    if_positive: function (value) { return value > 0 ? value : NaN; },
    most_within: function (curve, limit) {
      if (!curve || curve.length === 0 || isNaN(limit)) { return NaN; }
      var sorted = curve.slice().sort(function (a, b) { return a[1] - b[1] || a[0] - b[0]; });
      var most = 0;
      for (var i = 0; i < sorted.length; i++) {
        var point = sorted[i], below = i > 0 ? sorted[i - 1] : null;
        if (point[1] <= limit) {
          most = Math.max(most, point[0]);
        } else {
          if (below) {
            most = Math.max(most, below[0] + (point[0] - below[0]) * (limit - below[1]) / (point[1] - below[1]));
          }
          break;
        }
      }
      return most;
    },
    height_at: function (curve, x) {
      for (var i = 0; curve && i < curve.length; i++) {
        var point = curve[i], before = i > 0 ? curve[i - 1] : null;
        if (point[0] === x) { return point[1]; }
        if (point[0] > x) {
          return before ? before[1] + (point[1] - before[1]) * (x - before[0]) / (point[0] - before[0]) : NaN;
        }
      }
      return NaN;
    },
    least_reaching: function (curve, height) {
      for (var i = 0; curve && i < curve.length; i++) {
        var point = curve[i], before = i > 0 ? curve[i - 1] : null;
        if (point[1] >= height) {
          return before ? before[0] + (point[0] - before[0]) * (height - before[1]) / (point[1] - before[1]) : point[0];
        }
      }
      return NaN;
    }
  };
})();
