(function () {
  'use strict';
  var model = hubmarkModel, place = document.getElementById('plan'), chosen = model.cases[0], given = {};

  function element(name, parent, text) {
    var made = document.createElement(name);
    if (text !== undefined) { made.textContent = text; }
    if (parent) { parent.appendChild(made); }
    return made;
  }

  function start(one) {
    chosen = one;
    given = {};
    Object.keys(one.values).forEach(function (name) { given[name] = one.values[name]; });
    draw();
  }

  function field(input, table, changed) {
    var row = element('tr', table), label = element('label', element('td', row), input.label);
    var cell = element('td', row), box = element('input', cell), from = element('td', row);
    label.htmlFor = box.id = 'input-' + input.key;
    box.type = 'number';
    box.step = 'any';
    // Shown rounded; what was measured stays as it was until it is changed here.
    box.value = given[input.key] === undefined ? '' : String(Number(given[input.key].toPrecision(6)));
    element('span', cell, ' ' + input.unit);
    function say() {
      from.textContent = given[input.key] === undefined ? 'not known'
        : given[input.key] === chosen.values[input.key] ? chosen.sources[input.key] : 'given here';
    }
    box.addEventListener('input', function () {
      var value = Number(box.value), empty = box.value === '' && !box.validity.badInput;
      var allowed = empty || (box.value !== '' && hubmarkPlan.allows(input, value));
      if (empty) { delete given[input.key]; } else if (allowed) { given[input.key] = value; }
      box.setCustomValidity(allowed ? '' : input.allowed);
      box.reportValidity();
      say();
      changed();
    });
    say();
  }

  function compute(values) {
    return hubmarkPlan.compute(values, chosen.curves);
  }

  function isAssumed(name) {
    return chosen.assumed.indexOf(name) >= 0 && given[name] === chosen.values[name];
  }

  function assumed(inputs) {
    return (inputs || []).filter(isAssumed).map(function (name) {
      return model.inputs.filter(function (input) { return input.key === name; })[0].label;
    }).join(', ');
  }

  function fill(top, below) {
    var now = compute(given), first = compute(chosen.values);
    top.textContent = below.textContent = '';
    var answers = table(top, 'Answers', ['Answer', 'Now', 'As planned', 'Unit', 'Assumed']);
    var checks = table(top, 'What is needed and what is there', ['', 'Needed', 'There', 'Enough']);
    model.checks.forEach(function (check, i) {
      var has = now.checks[i].has, needs = now.checks[i].needs;
      if (!isNaN(has) && !isNaN(needs)) {
        cells(checks, [check.label, hubmarkPlan.text(needs), hubmarkPlan.text(has), has >= needs ? 'yes' : 'no']);
      }
    });
    model.chapters.forEach(function (chapter) {
      var steps = null;
      chapter.steps.forEach(function (step) {
        var value = now.values[step.key], before = first.values[step.key];
        if (isNaN(value) && isNaN(before)) { return; }
        var its = [step.label, hubmarkPlan.text(value), hubmarkPlan.text(before), step.unit, assumed(now.inputs[step.key])];
        steps = steps || table(below, chapter.title, ['Step', 'Now', 'As planned', 'Unit', 'Assumed', 'Made of']);
        cells(steps, its.concat(step.words));
        if (step.answer) { cells(answers, its); }
      });
    });
  }

  function table(parent, caption, headings) {
    var around = element('div', parent), made = element('table', around);
    around.className = 'scroll';
    element('caption', made, caption);
    var row = element('tr', element('thead', made));
    headings.forEach(function (heading) { element('th', row, heading).scope = 'col'; });
    return element('tbody', made);
  }

  function cells(parent, texts) {
    var row = element('tr', parent);
    texts.forEach(function (one) { element('td', row, one); });
  }

  function draw() {
    place.textContent = '';
    if (model.cases.length > 1) {
      var choice = element('select', element('p', place));
      choice.setAttribute('aria-label', 'case');
      model.cases.forEach(function (one, i) {
        var option = element('option', choice, one.title);
        option.value = i;
        option.selected = one === chosen;
      });
      choice.addEventListener('change', function () { start(model.cases[Number(choice.value)]); });
    }
    var back = element('button', element('p', place), 'As planned');
    back.type = 'button';
    back.addEventListener('click', function () { start(chosen); });
    var top = element('div', place), inputs = table(place, 'Inputs', ['Input', 'Value', 'From']);
    var fold = element('details', place), unknown, below = element('div', place);
    top.className = 'answers';
    fold.className = 'fold';
    element('summary', fold, 'Inputs that are not known');
    unknown = table(fold, 'Give one, and what needs it is computed', ['Input', 'Value', 'From']);
    top.setAttribute('aria-live', 'polite');
    function changed() { fill(top, below); }
    model.inputs.forEach(function (input) {
      if (chosen.inputs.indexOf(input.key) >= 0) {
        field(input, chosen.values[input.key] === undefined ? unknown : inputs, changed);
      }
    });
    changed();
  }

  start(chosen);
})();
