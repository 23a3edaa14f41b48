"""How values are shown: filters for templates, the chart."""
