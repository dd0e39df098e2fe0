# Prints what a formula of Homebrew declares and installs, as JSON: ruby formula.rb FORMULA FOLDER PREFIX. It has the part of
# Homebrew's language that our formula uses. FOLDER has the files of the archive, and PREFIX gets the installation.
require "fileutils"
require "json"
require "pathname"

formula, folder, prefix = ARGV

# Homebrew's additions to Pathname.
class Pathname
  def install(*sources)
    mkpath
    sources.flat_map { |source| source.is_a?(Hash) ? source.to_a : [[source, File.basename(source)]] }
           .each { |from, to| FileUtils.cp(from, self/to) }
  end
end

class Formula
  FACTS = { "architectures" => {} }

  class << self
    %i[desc homepage license].each { |name| define_method(name) { |value| FACTS[name.to_s] = value } }
    def depends_on(what) = FACTS["depends_on"] = what
    def on_intel(&) = within("intel", &)
    def on_arm(&) = within("arm", &)
    def url(value) = FACTS["architectures"][@architecture]["url"] = value
    def sha256(value) = FACTS["architectures"][@architecture]["sha256"] = value
    def service(&block) = @service = block
    def test(&block) = @test = block
    def within(architecture)
      FACTS["architectures"][@architecture = architecture] = {}
      yield
    end

    def blocks = [@service, @test]
  end

  class Service
    attr_reader :facts
    def initialize(formula) = (@formula, @facts = formula, {})
    %i[bin var opt_bin].each { |name| define_method(name) { @formula.send(name) } }
    %i[run keep_alive log_path error_log_path].each do |name|
      define_method(name) { |value| @facts[name] = value.is_a?(Array) ? value.map(&:to_s) : value }
    end
    def environment_variables(**values) = @facts[:environment] = values.transform_values(&:to_s)
  end

  def initialize(prefix) = @prefix = Pathname(prefix)
  def bin = @prefix/"bin"
  def opt_bin = bin
  def var = @prefix/"var"
  def man1 = @prefix/"share/man/man1"
  def bash_completion = @prefix/"etc/bash_completion.d"
  def zsh_completion = @prefix/"share/zsh/site-functions"
  def fish_completion = @prefix/"share/fish/vendor_completions.d"
  def version = FACTS["architectures"]["intel"]["url"][%r{/v([^/]+)/}, 1]
  def shell_output(command) = `#{command}`

  def assert_equal(expected, actual)
    raise "expected #{expected}, got #{actual}" unless expected == actual
  end
end

load formula
stillup = Stillup.new(prefix)
Dir.chdir(folder) { stillup.install }
stillup.post_install
service, test = Stillup.blocks
service = Formula::Service.new(stillup).tap { |facts| facts.instance_eval(&service) }.facts
stillup.instance_eval(&test)
puts JSON.generate(Formula::FACTS.merge(service:, caveats: stillup.caveats))
