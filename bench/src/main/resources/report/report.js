// Draws the charts that the page carries as data. Colours come from the style sheet, so that light,
// dark and paper are stated once; whenever one of them changes, all charts are drawn anew.
(function () {
  'use strict';
  var charts = JSON.parse(document.getElementById('charts').textContent);
  var drawn = [];

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  }

  // Dashes tell lines apart where six colours do not.
  var dashes = ['solid', 'dashed', 'dotted'];

  // Repeats of a scenario are lines of one name, and of one colour.
  function seriesColours(series) {
    var ours = 0, published = 0, byName = {};
    return series.map(function (one) {
      if (!(one.name in byName)) {
        byName[one.name] = one.published
          ? colour('published-' + (1 + published++ % 2))
          : colour('series-' + (1 + ours++ % 6));
      }
      return byName[one.name];
    });
  }

  function axis(extra) {
    return Object.assign({
      axisLabel: { color: colour('muted'), hideOverlap: true },
      axisLine: { show: true, lineStyle: { color: colour('line') } },
      splitLine: { lineStyle: { color: colour('line') } },
      nameTextStyle: { color: colour('muted') }
    }, extra);
  }

  function number(value) {
    if (value === null || value === undefined) { return '–'; }
    return String(Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)));
  }

  // 2 is the median, 10 is 90%, 100 is 99%: one message in so many is slower.
  function percentile(inverse) {
    return String(Number((100 - 100 / inverse).toFixed(5))) + '%';
  }

  function lines(chart, colours) {
    return chart.series.map(function (one, i) {
      return {
        type: 'line', name: one.name, data: one.points, showSymbol: one.points.length < 6,
        symbolSize: 7, itemStyle: { color: colours[i] },
        lineStyle: { width: 2, color: colours[i], type: dashes[Math.floor(i / 6) % 3] }
      };
    });
  }

  function bars(chart, colours) {
    return chart.series.map(function (one, i) {
      return {
        type: 'bar', name: one.name, itemStyle: { color: colours[i] }, data: one.points, barMinHeight: 2, barMaxWidth: 46,
        label: {
          show: chart.categories.length * chart.series.length <= 12, position: 'top',
          color: colour('text'), fontSize: 11,
          formatter: function (item) { return number(item.value); }
        }
      };
    });
  }

  function option(chart) {
    var many = chart.series.length > 8;
    var colours = seriesColours(chart.series);
    var one = {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      legend: { type: many ? 'scroll' : 'plain', top: 0, itemWidth: 18, left: 0, textStyle: { color: colour('text') },
        pageTextStyle: { color: colour('text') }, pageIconColor: colour('accent') },
      grid: { left: 8, right: chart.kind === 'PERCENTILE' ? 32 : 20, top: chart.kind === 'BARS' && !many ? 76 : 56, bottom: chart.kind === 'BARS' ? 8 : 28, containLabel: true },
      tooltip: {
        trigger: 'axis', confine: true, backgroundColor: colour('panel'), borderColor: colour('line'),
        textStyle: { color: colour('text') }, valueFormatter: number
      }
    };
    switch (chart.kind) {
      case 'TIME':
        one.xAxis = axis({ type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, splitLine: { show: false } });
        one.yAxis = axis({ type: 'value', min: 0 });
        one.series = lines(chart, colours);
        break;
      case 'PERCENTILE':
        one.xAxis = axis({ type: 'log', logBase: 10, min: 1, name: 'percentile', nameLocation: 'middle', nameGap: 26 });
        one.xAxis.axisLabel = { color: colour('muted'), hideOverlap: true, formatter: percentile };
        one.yAxis = axis({ type: 'log' });
        one.series = lines(chart, colours);
        one.tooltip.axisPointer = { label: { formatter: function (item) { return percentile(item.value); } } };
        one.tooltip.formatter = function (items) {
          return percentile(items[0].value[0]) + '<br>' + items.map(function (item) {
            return item.marker + echarts.format.encodeHTML(item.seriesName) + ': ' + number(item.value[1]) + ' ms';
          }).join('<br>');
        };
        break;
      case 'BARS':
        one.xAxis = axis({ type: 'category', data: chart.categories, splitLine: { show: false } });
        one.yAxis = axis({ type: 'value', min: 0 });
        one.series = bars(chart, colours);
        break;
    }
    return one;
  }

  function draw() {
    drawn.forEach(function (chart) { chart.dispose(); });
    drawn = charts.map(function (chart) {
      var element = document.getElementById('plot-' + chart.id);
      // SVG stays sharp on paper.
      var plot = echarts.init(element, null, { renderer: 'svg' });
      plot.setOption(option(chart));
      return plot;
    });
  }

  draw();
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  window.matchMedia('print').addEventListener('change', draw);
  window.addEventListener('resize', function () {
    drawn.forEach(function (chart) { chart.resize(); });
  });
})();
