# A formula of Homebrew for Linux: the program of a release.
# The checksums are zeros if this file is not from a release: Homebrew then refuses the archive.
class Stillup < Formula
  desc "Uptime monitoring in one binary"
  homepage "https://stillup.dev"
  license "MIT"

  depends_on :linux

  on_intel do
    url "https://github.com/stillup/stillup/releases/download/v0.1.0/stillup-0.1.0-linux-x64.tar.gz"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end
  on_arm do
    url "https://github.com/stillup/stillup/releases/download/v0.1.0/stillup-0.1.0-linux-arm64.tar.gz"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end

  def install
    bin.install "stillup"
    man1.install "stillup.1"
    bash_completion.install "stillup.bash" => "stillup"
    zsh_completion.install "stillup.zsh" => "_stillup"
    fish_completion.install "stillup.fish"
  end

  def post_install
    (var/"stillup").mkpath
    (var/"stillup").chmod 0700
  end

  def caveats
    <<~EOS
      The database and the first owner key are in #{var}/stillup.
      The page is at http://127.0.0.1:7070 after: brew services start stillup
    EOS
  end

  service do
    run [opt_bin/"stillup", "serve"]
    environment_variables STILLUP_DATA_DIR: var/"stillup"
    keep_alive true
    log_path var/"log/stillup.log"
    error_log_path var/"log/stillup.log"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/stillup version").strip
  end
end
