// Makes the options of each kind of chart for ECharts. No page is needed: the browser draws with
// them, and so does the command line, where there is none.
var hubmarkPlots = (function () {
  'use strict';
  // Tell lines apart where six colours do not; dashes have a meaning of their own.
  var dashes = ['solid', 'dotted'];
  var symbols = ['circle', 'rect', 'triangle', 'diamond', 'arrow', 'roundRect'];
  // A point that is not to be relied on.
  var cross = 'path://M2,0L5,3L8,0L10,2L7,5L10,8L8,10L5,7L2,10L0,8L3,5L0,2Z';
  var dashesIcon = 'path://M0,0H5V2H0ZM8,0H13V2H8ZM16,0H21V2H16Z';
  // More lines at once cannot be read; the legend brings the others.
  var shownMax = 8;
  var panelHeight = 132;

  function number(value) {
    if (value === null || value === undefined || isNaN(value)) { return '–'; }
    return String(Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)));
  }

  function escaped(text) {
    return String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  }

  // Series of one name have one colour; what goes with a line has the colour of the line before it.
  function colours(chart, theme) {
    var ours = 0, published = 0, byName = {}, last = { colour: theme.series[0], turn: 0 };
    var turns = [];
    var made = chart.series.map(function (one, i) {
      var key = chart.kind === 'TIMELINE' ? one.panel + ' ' + one.name : one.name;
      if (one.style !== 'UNCORRECTED' && !(key in byName)) {
        if (chart.kind === 'TIMELINE' && i > 0 && chart.series[i - 1].panel !== one.panel) { ours = 0; }
        byName[key] = one.style === 'PUBLISHED'
          ? { turn: published, colour: theme.published[published++ % theme.published.length] }
          : { turn: Math.floor(ours / theme.series.length), colour: theme.series[ours++ % theme.series.length] };
      }
      if (one.style !== 'UNCORRECTED') { last = byName[key]; }
      turns.push(last.turn);
      return last.colour;
    });
    made.turns = turns;
    return made;
  }

  // Over users, hosts and time what is published is a point, and what is a line there is a limit.
  function isLimit(chart, one) {
    return one.style === 'PUBLISHED' && chart.kind !== 'BY_SIZE' && one.points.length > 1;
  }

  function axis(theme, extra) {
    var made = {
      axisLabel: { color: theme.muted, hideOverlap: true },
      axisLine: { show: true, lineStyle: { color: theme.line } },
      splitLine: { lineStyle: { color: theme.line } },
      nameTextStyle: { color: theme.muted }
    };
    Object.keys(extra).forEach(function (key) {
      if (key === 'axisLabel') {
        Object.keys(extra.axisLabel).forEach(function (one) { made.axisLabel[one] = extra.axisLabel[one]; });
      } else { made[key] = extra[key]; }
    });
    return made;
  }

  function range(chart, index) {
    var low = Infinity, high = -Infinity;
    chart.series.forEach(function (one) {
      one.points.forEach(function (point) {
        var value = point[index];
        if (typeof value === 'number' && value > 0) { low = Math.min(low, value); high = Math.max(high, value); }
      });
    });
    return { low: low, high: high, ratio: high / low };
  }

  function anyNotAboveZero(chart, index) {
    return chart.series.some(function (one) {
      return one.points.some(function (point) { return point[index] !== null && point[index] <= 0; });
    });
  }

  // In the order of all series; one without points has a colour, and stands nowhere.
  function names(chart) {
    var all = chart.series.map(function (one) { return one.name; });
    return all.filter(function (name, i) {
      return all.indexOf(name) === i && chart.series.some(function (one) { return one.name === name && one.points.length; });
    });
  }

  function base(chart, theme, width) {
    var all = names(chart);
    var selected = {};
    if (chart.kind in along) {
      all.forEach(function (name, i) {
        selected[name] = all.length <= shownMax + 4 || i < shownMax || /\(published\)$/.test(name);
      });
    }
    var scroll = chart.kind !== 'BY_TIME' && all.length > 6 || all.join('').length * 7 > width * 1.6;
    return {
      animation: false,
      textStyle: { fontFamily: theme.font },
      legend: { type: scroll ? 'scroll' : 'plain', top: 0, left: 0, itemWidth: 18, selected: selected,
        textStyle: { color: theme.text }, pageTextStyle: { color: theme.text }, pageIconColor: theme.accent,
        inactiveColor: theme.line,
        data: all.map(function (name) {
          var limit = chart.series.some(function (one) { return one.name === name && isLimit(chart, one); });
          return limit ? { name: name, icon: dashesIcon } : { name: name };
        }) },
      grid: { left: 8, right: 24, top: scroll ? 40 : 76, bottom: 28, containLabel: true },
      tooltip: { trigger: 'axis', confine: true, backgroundColor: theme.panel, borderColor: theme.line,
        textStyle: { color: theme.text }, valueFormatter: number }
    };
  }

  function marked(one) {
    return one.points.map(function (point, i) {
      return one.invalid.indexOf(i) < 0 ? point : { value: point, invalid: true, symbol: cross, symbolSize: 12 };
    });
  }

  function line(one, colour, turn) {
    var dash = one.style === 'UNCORRECTED' || one.style === 'PUBLISHED' ? 'dashed' : dashes[turn % dashes.length];
    return {
      type: 'line', name: one.name, data: marked(one), symbol: symbols[turn % symbols.length],
      showSymbol: one.points.length < 6, symbolSize: 8,
      itemStyle: { color: colour }, lineStyle: { width: 2, color: colour, type: dash }
    };
  }

  // A point's low and high end as a bar with feet.
  function intervals(one, colour, clipTo) {
    return {
      type: 'custom', name: one.name, silent: true, z: 3, clip: true, itemStyle: { color: colour },
      data: one.points.filter(function (point) { return point.length > 3; }),
      renderItem: function (params, api) {
        var low = api.coord([api.value(0), Math.max(clipTo, api.value(2))]);
        var high = api.coord([api.value(0), Math.max(clipTo, api.value(3))]);
        function stroke(x1, y1, x2, y2) {
          return { type: 'line', shape: { x1: x1, y1: y1, x2: x2, y2: y2 }, style: { stroke: colour, lineWidth: 1.5 } };
        }
        return { type: 'group', children: [stroke(low[0], low[1], high[0], high[1]),
          stroke(low[0] - 4, low[1], low[0] + 4, low[1]), stroke(high[0] - 4, high[1], high[0] + 4, high[1])] };
      }
    };
  }

  // What stands along, and the unit of a point there.
  var along = {
    BY_SIZE: ['message size, KB', 'KB'],
    BY_USERS: ['users', 'users'],
    BY_HOSTS: ['hosts', 'hosts'],
    BY_IO: ['I/O a second', 'I/O/s'],
    BY_ROUND: ['round', '']
  };

  // Along stands one of these.
  function bySize(chart, theme, width) {
    var made = base(chart, theme, width), colour = colours(chart, theme);
    var x = range(chart, 0), y = range(chart, 1);
    var logX = x.ratio >= 8 && chart.kind !== 'BY_IO';
    var logY = y.ratio >= 20 && chart.unit !== 'percent' && !anyNotAboveZero(chart, 1);
    var clipTo = logY ? y.low / 10 : -Infinity;
    var sizes = [];
    chart.series.forEach(function (one) {
      one.points.forEach(function (point) { if (sizes.indexOf(point[0]) < 0) { sizes.push(point[0]); } });
    });
    sizes.sort(function (a, b) { return a - b; });
    // Of a curve that was computed, no point is a place of its own.
    var ticks = chart.kind === 'BY_IO' ? undefined : sizes;
    made.xAxis = axis(theme, {
      type: logX ? 'log' : 'value', name: along[chart.kind][0], nameLocation: 'middle', nameGap: 26, splitLine: { show: false },
      min: chart.kind === 'BY_IO' ? 0 : logX ? x.low / 1.3 : x.low - (x.high - x.low || x.low) * 0.12,
      max: logX ? x.high * 1.3 : x.high + (x.high - x.low || x.low) * 0.12,
      axisTick: { customValues: ticks }, axisLabel: { customValues: ticks, formatter: number }
    });
    made.yAxis = axis(theme, { type: logY ? 'log' : 'value', min: logY ? undefined : 0 });
    made.series = [];
    chart.series.forEach(function (one, i) {
      var drawn = line(one, colour[i], colour.turns[i]);
      drawn.showSymbol = !isLimit(chart, one);
      made.series.push(drawn);
      if (one.points.some(function (point) { return point.length > 3; })) {
        made.series.push(intervals(one, colour[i], clipTo));
      }
    });
    made.tooltip.trigger = 'item';
    made.tooltip.formatter = function (item) {
      var value = item.value;
      return item.marker + escaped(item.seriesName) + '<br>' + number(value[0]) + ' ' + along[chart.kind][1] + ': ' + number(value[1])
        + (value.length > 3 ? ' (95 %: ' + number(value[2]) + ' to ' + number(value[3]) + ')' : '') + (item.data.invalid ? ' NOT VALID' : '');
    };
    return made;
  }

  function timeline(chart, theme, width, whole) {
    var made = base(chart, theme, width), colour = colours(chart, theme);
    // The same lines in all panels have one legend above them, of one row or two.
    var isOne = chart.kind === 'BY_TIME', all = names(chart);
    var above = !isOne ? 0 : all.join('').length * 6.5 + all.length * 35 > width ? 46 : 26;
    var height = isOne ? (whole - above - 22) / chart.rows.length : panelHeight;
    made.legend = isOne ? [made.legend] : [];
    made.title = [];
    made.grid = [];
    made.xAxis = [];
    made.yAxis = [];
    chart.rows.forEach(function (title, i) {
      var top = above + i * height + 4, last = i === chart.rows.length - 1;
      made.title.push({ text: title, top: top, left: 4, padding: 0, textStyle: { color: theme.muted, fontSize: 12, fontWeight: 'normal' } });
      if (!isOne) { made.legend.push({ top: top - 2, right: 4, padding: 0, itemWidth: 16, itemHeight: 8, textStyle: { color: theme.text, fontSize: 12 },
        data: chart.series.filter(function (one) { return one.panel === i; }).map(function (one) { return one.name; }) }); }
      made.grid.push({ left: 62, right: isOne ? 26 : 14, top: top + 24, height: height - 44 });
      made.xAxis.push(axis(theme, { type: 'value', gridIndex: i, min: 0, max: 'dataMax', splitLine: { show: false }, axisLabel: { show: last },
        name: last ? 'seconds of measured time' : '', nameLocation: 'middle', nameGap: 24 }));
      // Lines far below their limit would lie on the axis.
      var panel = { series: chart.series.filter(function (one) { return one.panel === i; }) };
      var isLog = isOne && range(panel, 1).ratio >= 20 && !anyNotAboveZero(panel, 1);
      made.yAxis.push(axis(theme, { type: isLog ? 'log' : 'value', gridIndex: i, min: isLog ? undefined : 0, splitNumber: 3 }));
    });
    made.axisPointer = { link: [{ xAxisIndex: 'all' }] };
    made.series = chart.series.map(function (one, i) {
      var drawn = line(one, colour[i], colour.turns[i]);
      drawn.xAxisIndex = one.panel;
      drawn.yAxisIndex = one.panel;
      drawn.showSymbol = one.points.length < 40 && !isLimit(chart, one);
      // The worst sample of what falls on one pixel.
      if (isOne) { drawn.sampling = 'max'; }
      drawn.symbolSize = 4;
      drawn.lineStyle.width = 1.5;
      return drawn;
    });
    return made;
  }

  return {
    height: function (chart, otherwise) {
      switch (chart.kind) {
        case 'TIMELINE': return chart.rows.length * panelHeight + 40;
        case 'BY_TIME': return otherwise + 40;
        default: return otherwise;
      }
    },
    option: function (chart, theme, width, height) {
      switch (chart.kind) {
        case 'TIMELINE':
        case 'BY_TIME': return timeline(chart, theme, width, height);
        case 'BY_SIZE':
        case 'BY_USERS':
        case 'BY_HOSTS':
        case 'BY_IO':
        case 'BY_ROUND': return bySize(chart, theme, width);
      }
      throw new Error('no such kind of chart: ' + chart.kind);
    }
  };
})();
