// Draws the charts that the page carries as data. Colours come from the style sheet, so that light,
// dark and paper are stated once; whenever one of them changes, all charts are drawn anew.
(function () {
  'use strict';
  var charts = JSON.parse(document.getElementById('charts').textContent);
  var drawn = {};

  function theme() {
    var style = getComputedStyle(document.documentElement);
    function colour(name) { return style.getPropertyValue('--' + name).trim(); }
    return {
      text: colour('text'), muted: colour('muted'), line: colour('line'), panel: colour('panel'), ground: colour('ground'),
      accent: colour('accent'),
      series: [1, 2, 3, 4, 5, 6, 7, 8].map(function (i) { return colour('series-' + i); }),
      published: [1, 2].map(function (i) { return colour('published-' + i); }),
      font: getComputedStyle(document.body).fontFamily
    };
  }

  function draw(chart) {
    var element = document.getElementById('plot-' + chart.id);
    if (drawn[chart.id]) { drawn[chart.id].dispose(); delete drawn[chart.id]; }
    element.style.height = '';
    var height = hubmarkPlots.height(chart, element.clientHeight);
    element.style.height = height + 'px';
    // What is folded is drawn when it is unfolded.
    if (element.closest('details:not([open])')) { return; }
    // SVG stays sharp on paper.
    var plot = echarts.init(element, null, { renderer: 'svg' });
    plot.setOption(hubmarkPlots.option(chart, theme(), element.clientWidth, height));
    drawn[chart.id] = plot;
  }

  function drawAll() { charts.forEach(draw); }

  drawAll();
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  window.matchMedia('print').addEventListener('change', drawAll);
  var waiting = 0;
  window.addEventListener('resize', function () {
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 100);
  });
  document.querySelectorAll('details.fold').forEach(function (fold) {
    fold.addEventListener('toggle', function () {
      charts.forEach(function (chart) {
        if (fold.open && !drawn[chart.id] && fold.contains(document.getElementById('plot-' + chart.id))) { draw(chart); }
      });
    });
  });
})();
